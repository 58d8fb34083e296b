import Foundation
import TestSupport
import Testing

/// A configuration that is not where it should be.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerConfigurationTests {
  private static let commands = [["trust", "list"], ["trust", "add"], ["runtime", "list"]]

  private func run(_ words: [String], configuration: String) async throws -> ToolOutcome {
    let home = try ConsumerHome()
    let rest = words.last == "add" ? [home.keyFile, "--models", "*"] : []
    return try await home.tool.run(
      words + rest + ["--store", home.store, "--config", configuration]
    )
  }

  @Test(arguments: commands)
  func `a file in place of the folder is told, and trusts nobody in silence`(
    words: [String]
  ) async throws {
    let home = try ConsumerHome()
    let path = try home.write([], to: "file")
    try await run(words, configuration: path).expectRefusal(
      8,
      "\(path) is no folder, and the configuration is one",
      help: "--config DIR, or the variable SEALIFT_CONFIG, names the folder"
    )
  }

  @Test(arguments: commands)
  func `links to nothing are told`(words: [String]) async throws {
    let home = try ConsumerHome()
    let manager = FileManager.default
    let link = "\(home.folder)/link"
    try manager.createSymbolicLink(atPath: link, withDestinationPath: "none")
    try await run(words, configuration: link)
      .expectRefusal(8, "\(link) is a symbolic link to nothing")
    try manager.createDirectory(atPath: home.configuration, withIntermediateDirectories: false)
    let name = words[0] == "trust" ? "trust.json" : "runtimes.json"
    let document = "\(home.configuration)/\(name)"
    try manager.createSymbolicLink(atPath: document, withDestinationPath: "none")
    try await run(words, configuration: home.configuration)
      .expectRefusal(8, "\(document) is a symbolic link to nothing")
  }

  @Test(arguments: [("/proc", "/proc/trust.json.lock"), ("/proc/none", "/proc/none")])
  func `where no file can be made is exit code 8`(folder: String, path: String) async throws {
    try await run(["trust", "add"], configuration: folder)
      .expectRefusal(8, "\(path) cannot be made", help: "choose another folder")
  }

  @Test func `what is no bundle of certificates is told with its option`() async throws {
    let home = try await ConsumerHome.trusting()
    let rubbish = try home.write(Array("rubbish\n".utf8), to: "rubbish")
    for (path, code, words) in [
      (rubbish, 8, "\(rubbish) has no certificate in PEM form"),
      ("/nonexistent/x.pem", 3, "there is no /nonexistent/x.pem"),
    ] {
      try await home.run(["install", "https://127.0.0.1:1/m.json", "--ca-bundle", path])
        .expectRefusal(code, "--ca-bundle: \(words)", help: "name a file of certificates")
    }
  }
}
