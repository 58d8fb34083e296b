import Foundation
import SystemFiles

/// The real nginx as a loopback mirror: a process of the tests' own, apart from any service of the system.
///
/// It serves a folder on a free port of 127.0.0.1, runs as the current user, and ends with ``stop()`` or with the
/// last reference to it. Configuration, log and temporary files live in a folder of its own.
package final class NginxMirror: Sendable {
  /// Whether nginx is installed, for `.enabled(if:)`.
  package static var isAvailable: Bool { Tool.installed("nginx") != nil }

  package let port: UInt16
  package let options: NginxOptions
  private let files: OwnFolder
  private let nginx: RunningTool

  /// Starts nginx and waits until it takes connections.
  ///
  /// Throws ``SupportError/programFailed(_:message:)`` with nginx's own words if it refuses its configuration.
  package init(folder: String, _ options: NginxOptions = NginxOptions()) async throws {
    guard var tool = Tool.installed("nginx") else { throw SupportError.noProgram("nginx") }
    tool.timeout = .seconds(3600)
    tool.isTiedToTests = true
    files = try OwnFolder()
    self.options = options
    var attempt = 0
    while true {
      attempt += 1
      // Another process may take a free port before nginx does.
      let port = try FreePort.next()
      let configuration = NginxConfiguration(folder, files.path, port: port, options)
      try Folder(path: files.path).replaceFile(
        "nginx.conf",
        with: Array(configuration.text.utf8),
        mode: 0o600
      )
      do {
        nginx = try await Self.start(tool, in: files.path)
        self.port = port
        return
      } catch SupportError.programFailed(_, let message)
        where attempt < 5 && message.contains("Address already in use")
      {}
    }
  }

  /// The address without a slash at its end, such as `http://127.0.0.1:40001`.
  package var url: String {
    "\(options.certificates == nil ? "http" : "https")://\(options.host):\(port)"
  }

  /// The address of a file, whose path begins with a slash or not.
  package func url(_ path: String) -> String {
    path.utf8.first == UInt8(ascii: "/") ? url + path : "\(url)/\(path)"
  }

  /// Every request whose answer has ended, also after nginx did; one cut off by its end is not among them.
  package func requests() throws -> [NginxRecord] {
    let log = try Folder(path: files.path).readFile("access.log", limit: 1 << 30) ?? []
    return try log.split(separator: UInt8(ascii: "\n"))
      .map { try JSONDecoder().decode(NginxRecord.self, from: Data($0)) }
  }

  /// What nginx had to say of errors.
  package func errorLog() throws -> String {
    let log = try Folder(path: files.path).readFile("error.log", limit: 1 << 30) ?? []
    return String(decoding: log, as: UTF8.self)
  }

  /// The process number, for measuring.
  package var process: Int32 { nginx.process }

  /// Ends nginx at once and waits until its port is free.
  @discardableResult
  package func stop() async -> ToolOutcome {
    nginx.kill()
    return await nginx.wait()
  }

  private static func start(_ tool: Tool, in folder: String) async throws -> RunningTool {
    let own = ["-p", "\(folder)/", "-c", "\(folder)/nginx.conf", "-e", "\(folder)/error.log"]
    let nginx = try tool.start(own)
    let deadline = ContinuousClock.now + .seconds(20)
    // nginx writes this file once its sockets listen; there is no other sign to wait for.
    while try Folder(path: folder).status(of: "nginx.pid")?.size ?? 0 == 0 {
      guard nginx.isRunning else {
        let outcome = await nginx.wait()
        throw SupportError.programFailed("nginx", message: outcome.errors)
      }
      guard ContinuousClock.now < deadline else { throw SupportError.notStarted("nginx") }
      try await Task.sleep(for: .milliseconds(2))
    }
    return nginx
  }
}
