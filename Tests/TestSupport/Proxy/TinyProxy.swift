import SystemFiles

/// The real tinyproxy as an HTTP proxy on loopback: a process of the tests' own, apart from any service.
///
/// It forwards requests for `http` and tunnels for `https`, logs each, and ends with the last reference.
package final class TinyProxy: Sendable {
  /// Whether tinyproxy is installed, for `.enabled(if:)`.
  package static var isAvailable: Bool { Tool.installed("tinyproxy") != nil }

  package let port: UInt16
  private let files: OwnFolder
  private let proxy: RunningTool

  /// Starts it and waits until it takes connections.
  ///
  /// With `credentials`, as in `name:password`, it serves nobody else.
  package init(credentials: String? = nil) async throws {
    guard var tool = Tool.installed("tinyproxy") else { throw SupportError.noProgram("tinyproxy") }
    tool.timeout = .seconds(3600)
    tool.isTiedToTests = true
    files = try OwnFolder()
    port = try FreePort.next()
    let words = credentials.map { $0.split(separator: ":").joined(separator: " ") }
    let lines =
      [
        "Port \(port)", "Listen 127.0.0.1", "Timeout 60", "LogLevel Connect",
        "LogFile \"\(files.path)/log\"", "MaxClients 50", "DisableViaHeader Yes",
      ] + (words.map { ["BasicAuth \($0)"] } ?? [])
    try Folder(path: files.path).replaceFile(
      "tinyproxy.conf",
      with: Array((lines.joined(separator: "\n") + "\n").utf8),
      mode: 0o600
    )
    proxy = try tool.start(["-d", "-c", "\(files.path)/tinyproxy.conf"])
    let deadline = ContinuousClock.now + .seconds(20)
    while (try? WireClient(port: port)) == nil {
      guard proxy.isRunning else {
        let outcome = await proxy.wait()
        throw SupportError.programFailed("tinyproxy", message: outcome.errors)
      }
      guard ContinuousClock.now < deadline else { throw SupportError.notStarted("tinyproxy") }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  package var url: String { "http://127.0.0.1:\(port)" }

  /// The request lines it was sent, such as `CONNECT 127.0.0.1:4443 HTTP/1.1`.
  package func requests() throws -> [String] {
    let log = try Folder(path: files.path).readFile("log", limit: 1 << 24) ?? []
    return String(decoding: log, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard line.contains("Request (file descriptor"), let end = line.firstRange(of: "): ") else {
        return nil
      }
      return String(line[end.upperBound...])
    }
  }
}
