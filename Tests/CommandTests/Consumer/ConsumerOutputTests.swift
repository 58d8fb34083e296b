import Foundation
import StrictJSON
import TestSupport
import Testing

/// What goes where, and in which form.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerOutputTests {
  private let release = ConsumerRelease(files: ["weights.bin": .random(3_000_000)])

  private func install(_ home: ConsumerHome) throws -> [String] {
    ["install", try home.publish(release), "--mirror", try home.fileMirror(release)]
  }

  @Test func `standard output holds results only, the path of the files alone`() async throws {
    let home = try await ConsumerHome.trusting()
    let outcome = try await home.run(try install(home))
    let path = try #require(try home.oracle().active()).path
    #expect(outcome.output == "\(path)\n")
    #expect(outcome.errors.contains("acme/tiny 1.0.0 is active, signed by release SHA256:"))
    let again = try await home.run(try install(home))
    #expect(again.output == outcome.output)
    #expect(again.errors.contains("1.0.0 is already installed, verified\n"))
  }

  @Test(arguments: ["2>&-", "<&- 2>&-"])
  func `a job without standard descriptors runs like any other`(closed: String) async throws {
    let home = try await ConsumerHome.trusting()
    let arguments = [home.tool.path] + (try install(home)) + home.places
    var shell = try #require(Tool.installed("sh"))
    shell.environment = home.tool.environment
    let outcome = try await shell.run(["-c", "exec \"$@\" \(closed)", "sh"] + arguments)
    #expect(outcome.ending == .exited(0))
    #expect(try home.oracle().active()?.version == "1.0.0")
    let silent = try await shell.run(["-c", "exec \"$@\" >&- 2>&-", "sh"] + arguments)
    #expect(silent.ending == .exited(8))
  }

  @Test func `a relative store gives absolute paths`() async throws {
    var home = try await ConsumerHome.trusting()
    home.tool.folder = home.folder
    let expected = "\(home.store)/models/acme+tiny/versions/"
    let places = ["--store", "./store", "--config", "config"]
    let installed = try await home.tool.run(try install(home) + places)
    #expect(installed.output.hasPrefix(expected), "\(installed.errors)")
    let path = try await home.tool.run(["path", "acme/tiny"] + places)
    #expect(path.output == installed.output)
    let json = try await home.tool.run(["path", "acme/tiny", "--json"] + places)
    #expect(try json.summary()["path"] == .string(String(path.output.dropLast())))
  }

  @Test func `the environment names the store and the configuration too`() async throws {
    var home = try await ConsumerHome.trusting()
    let install = try install(home)
    home.tool.environment["SEALIFT_STORE"] = home.store
    home.tool.environment["SEALIFT_CONFIG"] = home.configuration
    let outcome = try await home.tool.run(install)
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(try home.oracle().active() != nil)
  }

  @Test func `the places of the XDG specification are the default`() async throws {
    let home = try ConsumerHome()
    var tool = home.tool
    let trust = try await tool.run(["trust", "add", home.keyFile, "--models", "*/*"])
    #expect(trust.ending == .exited(0), "\(trust.errors)")
    #expect(FileManager.default.fileExists(atPath: "\(home.folder)/.config/sealift/trust.json"))
    let outcome = try await tool.run(try install(home))
    #expect(outcome.output.hasPrefix("\(home.folder)/.local/share/sealift/models/"))
    tool.environment["XDG_DATA_HOME"] = "\(home.folder)/data"
    let moved = try await tool.run(try install(home))
    #expect(moved.output.hasPrefix("\(home.folder)/data/sealift/models/"))
  }

  @Test func `JSON is one object a line and ends in a summary`() async throws {
    let home = try await ConsumerHome.trusting()
    let outcome = try await home.run(try install(home) + ["--json"])
    let events = try outcome.events()
    let path = try #require(try home.oracle().active()).path
    #expect(events.contains { $0["event"] == "activated" })
    let summary = try outcome.summary()
    #expect(summary["exit"] == 0)
    #expect(summary["class"] == "done")
    #expect(summary["model"] == "acme/tiny")
    #expect(summary["version"] == "1.0.0")
    #expect(summary["path"] == .string(path))
    #expect(summary["fetchedBytes"] == 3_000_000)
  }

  @Test func `what a command changed or found is in its JSON`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release)
    let list = try await home.run(["list", "--json"]).events()
    let version = try #require(list.first { $0["event"] == "version" })
    #expect(version["state"] == "active")
    #expect(version["verified"] == true)
    let runtime = try await home.run(["runtime", "set", "llama.cpp=b5873", "--json"]).summary()
    #expect(runtime["runtimes"] == .object(["llama.cpp": "b5873"]))
    let removed = try await home.run(["remove", "acme/tiny", "--json"]).summary()
    #expect(removed["model"] == "acme/tiny")
    let trust = try await home.run(["trust", "remove", "acme/*", "--json"]).summary()
    #expect(trust["removed"] == "acme/*")
    #expect(trust["rules"] == .array([.object(["models": "acme/*"])]))
  }

  @Test(
    arguments: [
      (["install", "none.json"], 3, "notFound"),
      (["install", "--wrong"], 2, "usage"),
      (["wrong"], 2, "usage"),
      (["status"], 0, "done"),
      (["list"], 0, "done"),
      (["trust", "list"], 0, "done"),
      (["path", "acme/none"], 3, "notFound"),
      (["--help"], 0, "done"),
      ([], 2, "usage"),
    ] as [([String], Int, String)]
  )
  func `every run with --json ends in a summary with exit code and class`(
    arguments: [String],
    exit: Int,
    name: String
  ) async throws {
    let outcome = try await ConsumerHome().run(arguments + ["--json"])
    #expect(outcome.ending == .exited(exit), "\(outcome.errors)")
    let summary = try outcome.summary()
    #expect(summary["exit"] == .integer(Int64(exit)))
    #expect(summary["class"] == .string(name))
    let errors = try outcome.events().filter { $0["event"] == "error" }
    #expect(errors.count == (exit == 0 ? 0 : 1))
    if let error = errors.first { #expect(error["exit"] == .integer(Int64(exit))) }
  }

  @Test func `no line of a log moves the cursor or has colour`() async throws {
    let home = try await ConsumerHome.trusting()
    let outcome = try await home.run(try install(home))
    #expect(!outcome.standardError.contains { $0 < 0x20 && $0 != 0x0a })
    #expect(outcome.errors.contains("fetching: 100% of 2.9 MiB\n"))
  }

  @Test func `NO_COLOR wins over every wish for colour`() async throws {
    var home = try ConsumerHome()
    let colored = try await home.run(["path", "acme/none", "--color", "always"])
    #expect(colored.errors.hasPrefix("\u{1B}[1;31merror:\u{1B}[0m acme/none"))
    home.tool.environment["NO_COLOR"] = "1"
    let plain = try await home.run(["path", "acme/none", "--color", "always"])
    plain.expectRefusal(3, "acme/none is not in the store")
  }

  @Test(.enabled(if: Tool.installed("script") != nil))
  func `on a terminal progress is one line that is taken away again`() async throws {
    let home = try await ConsumerHome.trusting()
    let words = [home.tool.path] + (try install(home)) + home.places
    var script = try #require(Tool.installed("script"))
    script.environment = home.tool.environment.merging(["TERM": "xterm"]) { $1 }
    let command = words.map { "'\($0)'" }.joined(separator: " ") + " >/dev/null"
    let outcome = try await script.run(["-qec", command, "/dev/null"])
    #expect(outcome.ending == .exited(0))
    #expect(outcome.output.contains("\r"))
    let last = outcome.output.split(separator: "\n").last
    #expect(last?.contains("acme/tiny 1.0.0 is active") == true, "\(outcome.output)")
    script.environment["NO_COLOR"] = "1"
    script.environment["TERM"] = "dumb"
    let dumb = try await script.run(["-qec", command, "/dev/null"])
    #expect(!dumb.output.contains("\u{1B}"), "\(dumb.output)")
  }

  @Test func `--quiet leaves results and errors`() async throws {
    let home = try await ConsumerHome.trusting()
    let outcome = try await home.run(try install(home) + ["--quiet"])
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("/files\n"))
    try await home.run(["path", "acme/none", "--quiet"])
      .expectRefusal(3, "acme/none is not in the store")
  }

  @Test func `a reader that goes away does not stop the work`() async throws {
    let home = try await ConsumerHome.trusting()
    let words = [home.tool.path] + (try install(home)) + home.places + ["--json"]
    var shell = Tool(path: "/bin/bash")
    shell.environment = home.tool.environment
    let command = words.map { "'\($0)'" }.joined(separator: " ")
    let outcome = try await shell.run(["-c", "\(command) | true; echo ${PIPESTATUS[0]}"])
    #expect(outcome.output == "0\n", "\(outcome.errors)")
    #expect(try home.oracle().active()?.version == "1.0.0")
  }

  @Test func `results that cannot be written are exit code 8`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release)
    var shell = Tool(path: "/bin/sh")
    shell.environment = home.tool.environment
    let places = home.places.joined(separator: " ")
    let outcome = try await shell.run([
      "-c", "\(home.tool.path) list \(places) >/dev/full; echo $?",
    ])
    #expect(outcome.output == "8\n")
    #expect(outcome.errors.contains("error: the results cannot be written to standard output\n"))
  }
}
