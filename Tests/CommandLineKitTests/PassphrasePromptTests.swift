import CommandLineKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PassphrasePromptTests {
  @Test func `the answer is not shown and comes back as bytes`() async throws {
    let terminal = try #require(TestTerminal())
    let answer = Task { try await PassphrasePrompt(terminal: terminal.path).ask("passphrase") }
    #expect(await terminal.wait(for: "passphrase: ") && terminal.text == "passphrase: ")
    #expect(!terminal.showsInput)
    terminal.type("s\u{E9}cret \u{301}\n")
    #expect(try await answer.value == Array("s\u{E9}cret \u{301}".utf8))
    #expect(terminal.showsInput)
    #expect(await terminal.wait(for: "\n") && terminal.text == "passphrase: \r\n")
  }

  @Test func `a new passphrase is asked for twice`() async throws {
    let terminal = try #require(TestTerminal())
    let answer = Task {
      try await PassphrasePrompt(terminal: terminal.path).askTwice("new passphrase")
    }
    #expect(await terminal.wait(for: "new passphrase: "))
    terminal.type("abc\n")
    #expect(await terminal.wait(for: "the same again: "))
    terminal.type("abc\n")
    #expect(try await answer.value == Array("abc".utf8))
  }

  @Test func `the longest answer comes back whole`() async throws {
    let terminal = try #require(TestTerminal())
    let answer = Task { try await PassphrasePrompt(terminal: terminal.path).ask("passphrase") }
    #expect(await terminal.wait(for: ": "))
    let longest = String(repeating: "x", count: PassphrasePrompt.limit)
    terminal.type(longest + "\n")
    #expect(try await answer.value == Array(longest.utf8))
  }

  @Test func `two different answers are refused`() async throws {
    let terminal = try #require(TestTerminal())
    let answer = Task { try await PassphrasePrompt(terminal: terminal.path).askTwice("new") }
    #expect(await terminal.wait(for: "new: "))
    terminal.type("abc\n")
    #expect(await terminal.wait(for: "again: "))
    terminal.type("abd\n")
    await #expect(
      throws: Diagnostic(.usage, kind: .passphrasesDiffer, "the two passphrases differ")
    ) { _ = try await answer.value }
  }

  @Test(arguments: [
    ("\n", DiagnosticKind.emptyPassphrase, "the passphrase is empty"),
    ("\u{4}", .noPassphrase, "no passphrase was given"),
    (
      String(repeating: "x", count: 4095) + "\n", .longPassphrase,
      "the passphrase is longer than 4094 bytes"
    ),
  ])
  func `an unusable answer is refused`(typed: String, kind: DiagnosticKind, message: String)
    async throws
  {
    let terminal = try #require(TestTerminal())
    let answer = Task { try await PassphrasePrompt(terminal: terminal.path).askTwice("new") }
    #expect(await terminal.wait(for: "new: "))
    terminal.type(typed)
    await #expect(throws: Diagnostic(.usage, kind: kind, message)) { _ = try await answer.value }
    #expect(terminal.showsInput)
  }

  @Test func `a cancelled question shows input again`() async throws {
    let terminal = try #require(TestTerminal())
    let question = Task { try await PassphrasePrompt(terminal: terminal.path).ask("passphrase") }
    #expect(await terminal.wait(for: ": "))
    #expect(!terminal.showsInput)
    question.cancel()
    await #expect(throws: CancellationError.self) { try await question.value }
    #expect(terminal.showsInput)
  }

  @Test(arguments: ["/nonexistent/tty", "/dev/null"])
  func `without a terminal other ways are named`(path: String) async {
    await #expect(
      throws: Diagnostic(
        .usage,
        kind: .noTerminal,
        "there is no terminal to ask for the passphrase",
        helps: ["give it with --passphrase-file FILE or --passphrase-env VARIABLE"]
      )
    ) { try await PassphrasePrompt(terminal: path).ask("passphrase") }
  }
}
