import Glibc

/// One connection: reads requests one after the other and answers them.
struct MirrorConnection {
  private static let headLimit = 64 * 1024
  private static let blockSize = 256 * 1024

  let number: Int
  let state: MirrorState
  private let socket: Descriptor
  private let writer: ConnectionWriter
  private var input: [UInt8] = []

  init(_ socket: Descriptor, number: Int, _ state: MirrorState) {
    self.socket = socket
    self.number = number
    self.state = state
    writer = ConnectionWriter(socket: socket, stop: state.stop)
  }

  mutating func serve() {
    while let head = readHead() {
      guard let request = RequestHead(head) else {
        _ = writer.write(Answer.page(400).head)
        return
      }
      let record = state.log.add(request, connection: number)
      state.waitForLeader()
      guard send(state.answer(to: request), to: request, record) else { return }
    }
  }

  /// The bytes of the next request up to its empty line; nil at the end of the connection.
  private mutating func readHead() -> [UInt8]? {
    let mark = Array("\r\n\r\n".utf8)
    var searched = 0
    while true {
      if let end = firstIndex(of: mark, from: searched) {
        defer { input.removeFirst(end + mark.count) }
        return Array(input[..<end])
      }
      searched = max(0, input.count - mark.count)
      guard input.count < Self.headLimit, receive() else { return nil }
    }
  }

  private func firstIndex(of mark: [UInt8], from start: Int) -> Int? {
    guard input.count >= mark.count else { return nil }
    return (start...input.count - mark.count).first { index in
      input[index..<index + mark.count].elementsEqual(mark)
    }
  }

  private mutating func receive() -> Bool {
    var block = [UInt8](repeating: 0, count: 16 * 1024)
    while state.stop.wait(for: socket.number, CInt(POLLIN)) == .ready {
      let count = unsafe recv(socket.number, &block, block.count, 0)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else { return false }
      input += block[..<count]
      return true
    }
    return false
  }

  /// Sends an answer as it says; true if the connection goes on.
  private func send(_ answer: Answer, to request: RequestHead, _ record: Int) -> Bool {
    state.log.update(record) { $0.status = answer.status }
    guard answer.status > 0 else { return end(answer.ending) }
    guard writer.write(answer.head, rate: answer.headRate) else { return false }
    if answer.hasEndlessHeader {
      while writer.write(Array("X-Filler: and so on\r\n".utf8), rate: answer.rate) {}
      return false
    }
    let isWhole = request.method == "HEAD" || sendBody(answer, record)
    guard isWhole else { return false }
    state.log.update(record) { $0.isComplete = true }
    return end(answer.ending)
  }

  private func end(_ ending: Answer.Ending) -> Bool {
    switch ending {
    case .keepAlive: return true
    case .close: break
    case .reset: Socket.prepareReset(socket, state.stop)
    case .silence: writer.waitForEnd()
    }
    return false
  }

  private func sendBody(_ answer: Answer, _ record: Int) -> Bool {
    let limit = min(answer.body.count ?? .max, answer.cut ?? .max)
    let count = { (bytes: Int) in state.log.update(record) { $0.bytesSent += bytes } }
    if case .chunked = answer.framing { return sendChunks(answer, record) }
    if case .file(let file, let range) = answer.body {
      let part = range.lowerBound..<range.lowerBound + limit
      if let descriptor = file.plainDescriptor(for: part) {
        return writer.write(file: descriptor, part, rate: answer.rate, count)
      }
    }
    return sendBlocks(answer, limit: limit, count)
  }

  private func sendBlocks(_ answer: Answer, limit: Int, _ sent: (Int) -> Void) -> Bool {
    var blocks = Body.Blocks(answer.body, limit: Self.blockSize)
    var pace = Pace(answer.rate)
    var left = limit
    while left > 0, let block = blocks.next() {
      let bytes = block.count > left ? Array(block[..<left]) : block
      guard writer.write(bytes, &pace, sent) else { return false }
      left -= bytes.count
    }
    return true
  }

  private func sendChunks(_ answer: Answer, _ record: Int) -> Bool {
    var blocks = Body.Blocks(answer.body, limit: 64 * 1024)
    var pace = Pace(answer.rate)
    while let block = blocks.next() {
      let head = Array("\(String(block.count, radix: 16))\r\n".utf8)
      guard writer.write(head), writer.write(block, &pace, { _ in }),
        writer.write(Array("\r\n".utf8))
      else { return false }
      state.log.update(record) { $0.bytesSent += block.count }
    }
    return writer.write(Array("0\r\n\r\n".utf8))
  }
}
