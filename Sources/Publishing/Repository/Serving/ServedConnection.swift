import SystemFiles

/// A connection of the server: what was read of a request, and what is still to be sent.
final class ServedConnection {
  private static let blockSize = 256 * 1024
  /// The most blocks that go to one connection before the others have their turn.
  private static let turn = 16

  private let socket: StreamSocket
  private var received: [UInt8] = []
  private var unsent: [UInt8] = []
  private var sent = 0
  private var file: OpenFile?
  private var left = 0..<0
  private var keepsConnection = true
  /// When something last moved here.
  private(set) var lastMove: ContinuousClock.Instant

  init(_ socket: consuming StreamSocket, at time: ContinuousClock.Instant) {
    self.socket = socket
    lastMove = time
  }

  private var isSending: Bool { sent < unsent.count || !left.isEmpty }

  var interest: SocketInterest {
    SocketInterest(socket.descriptor, reads: !isSending, writes: isSending)
  }

  /// Goes on after something has become possible; false once the connection has ended.
  func goOn(
    in folder: borrowing Folder,
    at time: ContinuousClock.Instant,
    _ tell: (StaticRequest, Int) -> Void
  )
    -> Bool
  {
    // Who sends a request a byte at a time moves nothing by that.
    if isSending || received.isEmpty { lastMove = time }
    if !isSending {
      switch socket.receive(limit: StaticRequest.maximumSize) {
      case .nothing: return true
      case .end: return false
      case .bytes(let bytes): received += bytes
      }
      takeRequest(in: folder, tell)
    }
    for _ in 0..<Self.turn where isSending {
      if sent == unsent.count, !readOn() { return false }
      guard let count = socket.send(unsent.span.extracting(sent..<unsent.count)) else {
        return false
      }
      sent += count
      if count == 0 { return true }
      if !isSending {
        guard keepsConnection else { return false }
        // What was sent ahead is the next request.
        takeRequest(in: folder, tell)
      }
    }
    return true
  }

  private func takeRequest(in folder: borrowing Folder, _ tell: (StaticRequest, Int) -> Void) {
    guard let (head, length) = Self.head(of: received) else {
      if received.count > StaticRequest.maximumSize { begin(StaticAnswer(.malformed), nil) }
      return
    }
    received.removeFirst(length)
    let request: StaticRequest
    do {
      request = try StaticRequest(head: head)
    } catch {
      begin(StaticAnswer(error), nil)
      return
    }
    guard let path = ServedPath.path(of: request.target), let file = try? folder.openFile(path),
      let size = try? file.status().size
    else {
      let answer = StaticAnswer(missingFor: request)
      tell(request, answer.status)
      begin(answer, nil)
      return
    }
    let answer = StaticAnswer(request, path: path, size: size)
    tell(request, answer.status)
    begin(answer, consume file)
  }

  private func begin(_ answer: StaticAnswer, _ file: consuming OpenFile?) {
    (unsent, sent) = (answer.head, 0)
    keepsConnection = answer.keepsConnection
    left = answer.body ?? 0..<0
    self.file = file
  }

  /// Reads the next block of the file; false where the file has become shorter than was announced.
  private func readOn() -> Bool {
    let count = min(Self.blockSize, left.count)
    let block: [UInt8]?
    switch file {
    case .some(let file): block = try? file.readBlock(count: count, at: left.lowerBound)
    case .none: block = nil
    }
    guard let block, block.count == count else { return false }
    (unsent, sent) = (block, 0)
    left = left.lowerBound + count..<left.upperBound
    return true
  }

  /// The bytes before the first empty line, and the length up to its end.
  private static func head(of bytes: [UInt8]) -> (head: [UInt8], length: Int)? {
    var index = 0
    while index < bytes.count {
      guard let newline = bytes[index...].firstIndex(of: 0x0a) else { return nil }
      let rest = bytes[(newline + 1)...]
      if rest.first == 0x0a { return (Array(bytes[..<newline]), newline + 2) }
      if rest.starts(with: [0x0d, 0x0a]) { return (Array(bytes[..<newline]), newline + 3) }
      index = newline + 1
    }
    return nil
  }
}
