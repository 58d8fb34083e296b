import CommandLineKit
import ConsumerCommands
import TestSupport
import Testing

/// `explain`, and where errors point to it.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ExplainTests {
  @Test func `a kind has its page`() async throws {
    let outcome = try await Tool.built("sealift").run(["explain", "noSpace"])
    #expect(outcome.ending == .exited(0))
    #expect(
      outcome.output == """
        noSpace (exit code 8): the disk has no room left for what is to be written

        usual causes:
          - a full disk, a quota, or no inodes left

        what to do:
          - free some space; sealift gc shows and takes what no rule keeps
          - keep the store on another disk with --store
          - run the same command again: what is verified is kept

        """
    )
  }

  @Test(arguments: ExitCode.allCases)
  func `an exit code has a page under its number and its word, with its kinds`(code: ExitCode)
    async throws
  {
    let tool = try Tool.built("sealift")
    let number = try await tool.run(["explain", "\(code.rawValue)"])
    let word = try await tool.run(["explain", "\(code)"])
    #expect(number.output == word.output)
    #expect(number.output.hasPrefix("exit code \(code.rawValue), \(code): "))
    for page in ConsumerTool.table.pages where page.codes.contains(code) && page.kind != .init(code)
    {
      #expect(number.output.contains("  \(page.kind.rawValue)  "))
    }
  }

  @Test func `without a code all are listed`() async throws {
    let outcome = try await Tool.built("sealift").run(["explain"])
    for page in ConsumerTool.table.pages where page.kind != .init(page.codes.first ?? .done) {
      #expect(outcome.output.contains("\n  \(page.kind.rawValue)  "), "\(page.kind)")
    }
  }

  @Test(arguments: [
    ("nospace", "\"nospace\" is no exit code and no kind of a message", "did you mean noSpace?"),
    ("plainKey", "sealift never reports \"plainKey\"; another tool does", "sealift explain lists"),
    ("11", "\"11\" is no exit code and no kind of a message", "did you mean"),
  ])
  func `what is no code is refused`(word: String, message: String, help: String) async throws {
    let outcome = try await Tool.built("sealift").run(["explain", word])
    outcome.expectRefusal(2, "CODE: \(message)", help: help)
  }

  @Test func `an error that says nothing of what to do points to its page`() async throws {
    let home = try ConsumerHome()
    let twice = try await home.run([
      "trust", "add", home.keyFile, "--models", "a", "--threshold", "2",
    ])
    #expect(twice.errors.hasSuffix("  help: sealift explain badThreshold says more\n"))
    let absent = try await home.run(["path", "acme/tiny"])
    #expect(!absent.errors.contains("explain"), "\(absent.errors)")
    let verbose = try await home.run(["path", "acme/tiny", "--verbose"])
    #expect(verbose.errors.hasSuffix("  help: sealift explain noSuchModel says more\n"))
  }
}
