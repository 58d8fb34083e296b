import Glibc

/// One request and its answer as libcurl's callbacks see it: reads the head, has it judged, counts the body.
final class Exchange {
  private enum State {
    case head(ResponseHead?)
    case body(Range<Int>, isExact: Bool)
    /// The body is dropped, up to a limit, so that the connection can be used again.
    case redirect([UInt8])
    case page
    case refused(MirrorFault)
    case stopped
  }

  /// The body bytes of a redirect that are read to keep the connection.
  private static let redirectBodyLimit = 16 * 1024
  private static let headLimit = 256 * 1024

  private let ask: ResponseAsk
  private let sink: any BodySink
  private var state = State.head(nil)
  private var headSize = 0
  /// The bytes that came, head and body.
  private(set) var arrived = 0
  /// The body bytes that came and were taken.
  private(set) var received = 0
  /// The bytes of the file that the accepted body brings; nil before that is known.
  private(set) var answer: Range<Int>?

  init(_ ask: ResponseAsk, sink: any BodySink) {
    self.ask = ask
    self.sink = sink
  }

  /// Takes one line of the head, as it came; false ends the request.
  func takeHead(_ line: Span<UInt8>) -> Bool {
    arrived += line.count
    headSize += line.count
    // Fields after the body count too: libcurl would keep them all.
    guard headSize <= Self.headLimit else { return refuse(.malformedHead("too long")) }
    guard case .head(let head) = state else { return !isOver }
    let text = lineText(line)
    if text.isEmpty {
      guard let head else { return refuse(.malformedHead("no status line")) }
      if 100..<200 ~= head.status { state = .head(nil) } else { judge(head) }
      return !isOver
    }
    if var head {
      head.add(line: text)
      state = .head(head)
    } else {
      guard let head = ResponseHead(statusLine: text) else {
        return refuse(.malformedHead("status line \"\(printable(text))\""))
      }
      state = .head(head)
    }
    return true
  }

  /// Takes body bytes; false ends the request, and every later call says the same.
  func takeBody(_ bytes: Span<UInt8>) -> Bool {
    arrived += bytes.count
    switch state {
    case .head: return refuse(.malformedHead("body without a head"))
    case .refused, .stopped: return false
    case .page: return refuse(.html(firstBytes: firstBytes(bytes)))
    case .redirect:
      received += bytes.count
      return received <= Self.redirectBodyLimit
    case .body(let range, _):
      guard bytes.count <= range.count - received else {
        return refuse(.tooLong(limit: range.count))
      }
      received += bytes.count
      if sink.take(bytes) { return true }
      state = .stopped
      return false
    }
  }

  /// What the request ended in; `failure` is what libcurl says, nil if it saw no error.
  func end(failure: MirrorFault?) -> ExchangeEnd {
    switch state {
    case .refused(let fault): return .fault(fault)
    case .stopped: return .stopped
    case .redirect(let location): return .redirect(location)
    case .page: return .fault(.html(firstBytes: ""))
    // Of a line without end libcurl says that there is no memory for it.
    case .head where failure?.isOutOfMemory ?? false:
      return .fault(.malformedHead("a line of its head is too long"))
    case .head: return .fault(failure ?? .closedEarly(received: 0, expected: nil))
    case .body(let range, let isExact):
      if let failure, case .timedOut = failure { return .fault(failure) }
      if received == range.count || (!isExact && failure == nil) {
        return .complete(range.lowerBound..<range.lowerBound + received)
      }
      return .fault(.closedEarly(received: received, expected: isExact ? range.count : nil))
    }
  }

  private var isOver: Bool {
    switch state {
    case .refused, .stopped: true
    case .head, .body, .redirect, .page: false
    }
  }

  private func judge(_ head: ResponseHead) {
    switch ResponseCheck.judge(head, for: ask, wallClock: time(nil)) {
    case .take(let range): startBody(range, isExact: true)
    case .takeUpTo(let limit): startBody(0..<limit, isExact: false)
    case .redirect(let location): state = .redirect(location)
    case .refuse(.html): state = .page
    case .refuse(let fault): state = .refused(fault)
    }
  }

  private func startBody(_ range: Range<Int>, isExact: Bool) {
    state = .body(range, isExact: isExact)
    answer = range
    sink.begin(range)
  }

  private func refuse(_ fault: MirrorFault) -> Bool {
    state = .refused(fault)
    return false
  }
}

/// A line without its end.
private func lineText(_ line: Span<UInt8>) -> [UInt8] {
  var end = line.count
  while end > 0, line[end - 1] == UInt8(ascii: "\n") || line[end - 1] == UInt8(ascii: "\r") {
    end -= 1
  }
  return (0..<end).map { line[$0] }
}

private func firstBytes(_ bytes: Span<UInt8>) -> String {
  printable((0..<min(bytes.count, 40)).map { bytes[$0] })
}
