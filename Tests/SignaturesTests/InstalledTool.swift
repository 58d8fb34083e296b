import Foundation
import Testing

/// A program of the system that tests compare with.
struct InstalledTool: Sendable {
  static let openssl = InstalledTool("openssl")
  static let keygen = InstalledTool("ssh-keygen")
  static let minisign = InstalledTool("minisign")
  static let signify = InstalledTool("signify-openbsd")

  let path: String

  /// Finds the program in a folder of PATH; nil if there is none.
  init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let paths = folders.map { "\($0)/\(name)" }
    guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      return nil
    }
    self.path = path
  }

  /// Runs the program to its end and returns what it wrote to standard output and standard error together.
  @discardableResult
  func run(_ arguments: [String]) throws -> (exitCode: Int32, output: String) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
