import CommandLineKit
import ConsumerCommands
import Foundation
import PublisherCommands
import TestSupport
import Testing

/// What the shells offer: the candidates by themselves, and in each shell as a person types.
@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct CompletionTests {
  /// A client with two versions of one model, whose store and configuration the environment names.
  private func home() async throws -> ConsumerHome {
    var home = try await ConsumerHome.trusting()
    for version in ["1.0.0", "2.0.0-rc.1"] {
      try await home.installed(
        ConsumerRelease(version: version, files: ["weights.bin": .random(1000)])
      )
    }
    home.tool.environment["SEALIFT_STORE"] = home.store
    home.tool.environment["SEALIFT_CONFIG"] = home.configuration
    home.tool.folder = home.folder
    // The completion files call the tools by the name that was typed.
    let tools = URL(filePath: try Tool.built("sealift").path).deletingLastPathComponent().path
    let path = home.tool.environment["PATH"] ?? "/usr/bin:/bin"
    home.tool.environment["PATH"] = "\(tools):\(path)"
    home.tool.environment["TERM"] = "xterm"
    for name in ["manifest.json", "mine"] { try place([0x7b, 0x7d], at: "here/\(name)") }
    return home
  }

  private func candidates(_ words: [String], _ tool: Tool) async throws -> [String] {
    let outcome = try await tool.run(["completions", "candidates", "--"] + words)
    try #require(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test(
    arguments: [
      (["ins"], ["install"]),
      (["runtime", ""], ["list", "probe", "set"]),
      (["mark", "b"], ["bad"]),
      (["help", "roll"], ["rollback"]),
      (["help", "trust", "r"], ["remove"]),
      (["--color", ""], ["always", "auto", "never"]),
      (["--color=a"], ["--color=always", "--color=auto"]),
      (["list", "--lock", "k"], ["kernel"]),
      (["doctor", "--backups=o"], ["--backups=out"]),
      (["exec", "--verify", "f"], ["full"]),
      (["--quiet", "gc", "--dry"], ["--dry-run"]),
      (["gc", "--dry-run", "--dry"], []),
      (["install", "--mirror", "file:///a/{name}", "--mir"], ["--mirror"]),
      (["path", ""], ["acme/tiny"]),
      (["activate", "acme/tiny@"], ["acme/tiny@1.0.0", "acme/tiny@2.0.0-rc.1"]),
      (["remove", "acme/tiny"], ["acme/tiny", "acme/tiny@1.0.0", "acme/tiny@2.0.0-rc.1"]),
      (["--store", "/nonexistent", "path", ""], []),
      (["path", "acme/tiny", "--js"], ["--json"]),
      (["install", ""], [":files"]),
      (["trust", "add", "a.pub", "b"], [":files"]),
      (["verify", "--manifest="], [":files"]),
      (["--store", ""], [":folders"]),
      (["exec", "acme/tiny", "--", ""], [":programs"]),
      (["exec", "acme/tiny", "--", "cat", "--"], [":files"]),
      (["completions", ""], ["bash", "candidates", "fish", "zsh"]),
      (["nonsense", ""], []),
      (["install", "--nonsense", "x", "y", "z"], []),
    ] as [([String], [String])]
  )
  func `the last word goes on as the command table says`(
    words: [String],
    expected: [String]
  ) async throws {
    let found = try await candidates(words, try await home().tool)
    #expect(found.map { String($0.prefix { $0 != "\t" }) }.sorted() == expected)
  }

  @Test func `a variable that asks for JSON changes no candidate of the shells' files`()
    async throws
  {
    var tool = try await home().tool
    tool.environment["SEALIFT_JSON"] = "true"
    let fish = try await fish("complete -C 'sealift instal'", tool)
    #expect(fish.hasPrefix("install\t"))
  }

  @Test(arguments: [ConsumerTool.table, PublisherTool.table])
  func `every command, option and closed set of a tool is offered`(table: CommandTable) async throws
  {
    var tool = try Tool.built(table.tool)
    tool.environment = try ConsumerHome().tool.environment
    for command in table.commands {
      let parent = Array(command.name.dropLast())
      let names = try await candidates(parent + [command.name.last ?? ""], tool)
      #expect(
        names.contains { $0.hasPrefix("\(command.name.last ?? "")\t") },
        "\(command.typedName)"
      )
      let options = try await candidates(command.name + ["--"], tool)
        .map { String($0.prefix { $0 != "\t" }) }
      let expected = command.help.options + table.globals.map(\.help)
      #expect(Set(options) == Set(expected.map(\.name) + ["--help"]), "\(command.typedName)")
      for option in command.help.options {
        guard case .words(let words) = option.accepts else { continue }
        #expect(try await candidates(command.name + [option.name, ""], tool) == words)
      }
    }
  }

  private static let lines = [
    ("sealift ins", "sealift install "),
    ("sealift trust rem", "sealift trust remove "),
    ("sealift activate acme/tiny@2", "sealift activate acme/tiny@2.0.0-rc.1 "),
    ("sealift path ", "sealift path acme/tiny "),
    ("sealift --color n", "sealift --color never "),
    ("sealift --color=n", "sealift --color=never "),
    ("sealift exec acme/tiny --verify=f", "sealift exec acme/tiny --verify=full "),
    ("sealift verify --manifest here/ma", "sealift verify --manifest here/manifest.json "),
    ("sealift verify --manifest=here/ma", "sealift verify --manifest=here/manifest.json "),
    ("sealift install here/m", "sealift install here/m"),
    ("sealift install here/mani", "sealift install here/manifest.json "),
    ("sealift --store here", "sealift --store here/"),
    ("sealift exec acme/tiny -- trunca", "sealift exec acme/tiny -- truncate "),
    ("sealift-publish build --format ggu", "sealift-publish build --format gguf "),
    ("sealift-publish sign --pass", "sealift-publish sign --passphrase-"),
  ]

  private func files(_ home: ConsumerHome, _ shell: String) async throws -> [String] {
    var paths: [String] = []
    for name in ["sealift", "sealift-publish"] {
      let outcome = try await Tool.built(name).run(["completions", shell])
      try #require(outcome.ending == .exited(0))
      // Of the name that zsh asks for; the others take any.
      let path = "completion/_\(name)"
      try place(outcome.standardOutput, at: path)
      paths.append(TemporaryFolder.path(path))
    }
    return paths
  }

  @Test(arguments: [false, true])
  func `bash completes what is typed, with bash-completion and without it`(
    hasPackage: Bool
  ) async throws {
    let home = try await home()
    let package = "/usr/share/bash-completion/bash_completion"
    try #require(FileManager.default.fileExists(atPath: package))
    let sources = (hasPackage ? [package] : []) + (try await files(home, "bash"))
    let setup = sources.map { "source '\($0)'" }.joined(separator: "; ")
    let shell = ShellLine(setup: setup, shell: "bash", surroundings: home.tool)
    for (typed, expected) in Self.lines {
      #expect(try await shell.completed(typed) == expected)
    }
  }

  @Test func `zsh completes what is typed`() async throws {
    let home = try await home()
    let paths = try await files(home, "zsh")
    let folder = URL(filePath: paths[0]).deletingLastPathComponent().path
    for setup in [
      "fpath=('\(folder)' $fpath); autoload -Uz compinit; compinit -D -u",
      "autoload -Uz compinit; compinit -D -u; \(paths.map { "source '\($0)'" }.joined(separator: "; "))",
    ] {
      let shell = ShellLine(setup: setup, shell: "zsh", surroundings: home.tool)
      for (typed, expected) in Self.lines {
        #expect(try await shell.completed(typed) == expected, "\(setup)")
      }
    }
  }

  private func fish(_ command: String, _ tool: Tool) async throws -> String {
    var fish = try #require(Tool.installed("fish"))
    fish.environment = tool.environment
    fish.folder = tool.folder
    fish.timeout = .seconds(300)
    let paths = try await files(try ConsumerHome(), "fish")
    let outcome = try await fish.run([
      "--no-config", "-c", paths.map { "source '\($0)'; " }.joined() + command,
    ])
    try #require(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    return outcome.output
  }

  @Test func `fish offers what may follow, and says what it does`() async throws {
    let tool = try await home().tool
    for (typed, expected) in Self.lines
    where !typed.hasSuffix("here/m") && !typed.hasSuffix("--pass") {
      let found = try await fish("complete -C '\(typed)'", tool).split(separator: "\n")
      let words = found.map { $0.prefix { $0 != "\t" } }
      let last = expected.split(separator: " ").last ?? ""
      #expect(words == [last], "\(typed)")
    }
    let described = try await fish("complete -C 'sealift insta'", tool)
    let summary = try #require(ConsumerTool.table.commands.first { $0.typedName == "install" })
      .summary
    #expect(described == "install\t\(summary)\n")
  }

  @Test(arguments: [("bash", "bash"), ("zsh", "zsh"), ("fish", "fish")])
  func `each shell reads its file without a complaint`(shell: String, program: String) async throws
  {
    let checker = try #require(Tool.installed(program))
    for path in try await files(try ConsumerHome(), shell) {
      let outcome = try await checker.run(["-n", path])
      #expect(outcome.ending == .exited(0) && outcome.errors.isEmpty, "\(outcome.errors)")
    }
  }

  @Test func `a shell that is not known is refused`() async throws {
    let outcome = try await Tool.built("sealift").run(["completions", "tcsh"])
    outcome.expectRefusal(2, "SHELL: \"tcsh\" is not bash, zsh or fish", help: "usage: ")
  }
}
