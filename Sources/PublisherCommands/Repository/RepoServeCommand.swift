import CommandErrors
import CommandLineKit
import Publishing
import StrictJSON
import SystemFiles

struct RepoServeCommand: Command {
  static let name = ["repo", "serve"]
  static let summary = "serves a repository on this machine alone, for trying it out"
  static let help = CommandHelp(
    operands: [OperandHelp("DIR", "the folder of the repository")],
    options: [
      OptionHelp("--port", value: "N", "the port on 127.0.0.1; one that is free unless given")
    ],
    details: [
      "Prints the URL and serves until it is interrupted. Files alone are served, in whole or a range of them; no list of a "
        + "folder, nothing behind a link, and nothing whose name starts with a dot. For others to reach it, any web server that "
        + "serves files will do."
    ],
    examples: [
      ExampleHelp("sealift-publish repo serve public", "serves on a free port"),
      ExampleHelp("sealift-publish repo serve public --port 8080", "serves on port 8080"),
    ],
    goingOn: "run it again; nothing is lost"
  )

  private let path: String
  private let port: UInt16

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    port =
      try arguments.option("--port") { text throws -> UInt16 in
        guard let number = UInt16(text), number > 0, text.utf8.first != UInt8(ascii: "+") else {
          throw UsageError("\(quoted(text)) is no port; it is a number from 1 to 65535")
        }
        return number
      } ?? 0
    path = try arguments.operand("DIR") { $0 }
    try arguments.finish()
  }

  private func listen() throws -> RepositoryServer {
    do throws(SystemError) {
      return try RepositoryServer(folder: path, port: port)
    } catch {
      throw error.isAddressTaken ? Diagnostic(takenPort: port) : error
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let console = context.console
    _ = try RepositoryTree(path: path)
    let server = try listen()
    let url = "http://127.0.0.1:\(server.port)"
    console.event("serving", ["url": .string(url)])
    console.print(url)
    try server.serve { report in
      console.detail("\(report.status) \(report.method) \(report.target)")
    }
    console.summarize(["url": .string(url)])
    return .done
  }
}
