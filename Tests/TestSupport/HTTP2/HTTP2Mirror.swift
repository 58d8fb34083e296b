import Foundation

/// A loopback mirror that speaks HTTP/2 over TLS and can be wrong in the ways of that protocol.
///
/// It is `Tests/Servers/h2-mirror.py` in the Python environment of the tests, and ends with the last reference.
package final class HTTP2Mirror: Sendable {
  package enum Fault: Hashable, Sendable {
    case honest
    /// RST_STREAM after this many bytes of each body that is longer.
    case reset(after: Int)
    /// RST_STREAM with PROTOCOL_ERROR in answer to every request for a range.
    case refuseRanges
    /// GOAWAY and the end of the connection after this many bytes of each body that is longer.
    case goAway(after: Int)

    var text: String {
      switch self {
      case .honest: "none"
      case .reset(let count): "reset:\(count)"
      case .refuseRanges: "refuse-ranges"
      case .goAway(let count): "goaway:\(count)"
      }
    }
  }

  /// What the mirror logged of one request.
  package struct Record: Hashable, Sendable, Codable {
    package let path: String
    /// The Range field, empty if there was none.
    package let range: String
    /// 0 for a reset in place of an answer.
    package let status: Int
    package let bytes: Int
    package let stream: Int
    package let connection: Int
  }

  package static var isAvailable: Bool { PythonEnvironment.isThere }

  package let port: Int
  private let server: RunningTool

  /// Serves the files of `folder` with the server certificate of `certificates`.
  package init(
    folder: String,
    _ certificates: TestCertificates,
    _ fault: Fault = .honest
  ) async throws {
    var python = PythonEnvironment.python
    python.timeout = .seconds(3600)
    python.isTiedToTests = true
    let script = PythonEnvironment.server("h2-mirror.py")
    server = try python.start([
      script, folder, certificates.certificate, certificates.key, fault.text,
    ])
    guard await server.waitForOutput({ $0.contains("\n") }) else {
      let outcome = await server.wait()
      throw SupportError.programFailed("h2-mirror.py", message: outcome.errors)
    }
    let first = String(decoding: server.standardOutput, as: UTF8.self).prefix { $0 != "\n" }
    guard let port = Int(first) else { throw SupportError.notStarted("h2-mirror.py") }
    self.port = port
  }

  /// The address without a slash at its end, such as `https://127.0.0.1:40001`.
  package var url: String { "https://127.0.0.1:\(port)" }

  /// Every request whose answer has ended.
  package func requests() throws -> [Record] {
    try server.standardOutput.split(separator: UInt8(ascii: "\n")).dropFirst()
      .map { try JSONDecoder().decode(Record.self, from: Data($0)) }
  }
}
