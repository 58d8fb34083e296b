import Glibc

/// A client that shows what arrives on the wire, byte for byte, without any help of a library.
package final class WireClient: Sendable {
  /// How the bytes ended.
  package enum End: Hashable, Sendable {
    /// As many as Content-Length says have come; the connection is open.
    case counted
    case closed
    case reset
    /// Nothing more came for as long as the client was ready to wait.
    case silent
    /// The caller's limit for the body, or 16 KiB of header, is reached.
    case limited
  }

  private static let headLimit = 16 * 1024

  private let socket: Descriptor

  /// Connects to a port of 127.0.0.1; waits at most `patience` for each read.
  package init(port: UInt16, patience: Duration = .seconds(10)) throws(SupportError) {
    socket = try Socket.connected(to: port)
    let parts = patience.components
    var limit = timeval(
      tv_sec: Int(parts.seconds),
      tv_usec: Int(parts.attoseconds / 1_000_000_000_000)
    )
    let size = socklen_t(MemoryLayout<timeval>.size)
    try check("setsockopt") {
      unsafe setsockopt(socket.number, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    }
  }

  /// Sends a request for `target` with these fields and reads the answer.
  ///
  /// Reads at most `limit` bytes of body. The next request may follow after an answer that was counted.
  package func request(
    _ target: String,
    method: String = "GET",
    _ fields: [String] = [],
    limit: Int = .max
  ) throws(SupportError) -> WireAnswer {
    let lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1"] + fields + ["", ""]
    try send(Array(lines.joined(separator: "\r\n").utf8))
    return try answer(to: method, limit: limit)
  }

  /// Sends bytes as they are.
  package func send(_ bytes: [UInt8]) throws(SupportError) {
    var done = 0
    while done < bytes.count {
      done += try check("send") {
        unsafe bytes.withUnsafeBytes {
          unsafe Glibc.send(
            socket.number,
            $0.baseAddress?.advanced(by: done),
            $0.count - done,
            CInt(MSG_NOSIGNAL)
          )
        }
      }
    }
  }

  /// Reads one answer, header and body.
  package func answer(to method: String, limit: Int = .max) throws(SupportError) -> WireAnswer {
    var bytes: [UInt8] = []
    var end: End?
    let mark = Array("\r\n\r\n".utf8)
    while bytes.suffix(mark.count) != mark[...], end == nil {
      end = try read(1, into: &bytes)
      if end == nil, bytes.count == Self.headLimit { end = .limited }
    }
    var answer = WireAnswer(head: String(decoding: bytes, as: UTF8.self))
    guard end == nil else {
      answer.end = end ?? .closed
      return answer
    }
    let length = answer.value("Content-Length").flatMap { Int($0) }
    let wanted = method == "HEAD" ? 0 : min(length ?? .max, limit)
    while answer.body.count < wanted, end == nil {
      end = try read(min(1 << 20, wanted - answer.body.count), into: &answer.body)
    }
    answer.end = end ?? (wanted == limit && length != limit ? .limited : .counted)
    return answer
  }

  private func read(_ count: Int, into bytes: inout [UInt8]) throws(SupportError) -> End? {
    var block = [UInt8](repeating: 0, count: count)
    do {
      let count = try check("recv") { unsafe recv(socket.number, &block, count, 0) }
      bytes += block[..<count]
      return count == 0 ? .closed : nil
    } catch .failed(_, ECONNRESET) {
      return .reset
    } catch .failed(_, EAGAIN) {
      return .silent
    }
  }
}
