import CommandLineKit
import Glibc
import Testing

@Suite(.timeLimit(.minutes(5))) struct PassphrasePromptTests {
  @Test func `the answer is not shown and comes back as bytes`() async throws {
    let terminal = try #require(FakeTerminal())
    let answer = Task { try await PassphrasePrompt(terminal: terminal.path).ask("passphrase") }
    #expect(await terminal.read(until: "passphrase: ") == "passphrase: ")
    #expect(!terminal.showsInput)
    terminal.type("s\u{E9}cret \u{301}\n")
    #expect(try await answer.value == Array("s\u{E9}cret \u{301}".utf8))
    #expect(terminal.showsInput)
    #expect(await terminal.read(until: "\n") == "\r\n")
  }

  @Test func `a new passphrase is asked for twice`() async throws {
    let terminal = try #require(FakeTerminal())
    let answer = Task {
      try await PassphrasePrompt(terminal: terminal.path).askTwice("new passphrase")
    }
    _ = await terminal.read(until: "new passphrase: ")
    terminal.type("abc\n")
    _ = await terminal.read(until: "the same again: ")
    terminal.type("abc\n")
    #expect(try await answer.value == Array("abc".utf8))
  }

  @Test func `the longest answer comes back whole`() async throws {
    let terminal = try #require(FakeTerminal())
    let answer = Task { try await PassphrasePrompt(terminal: terminal.path).ask("passphrase") }
    _ = await terminal.read(until: ": ")
    let longest = String(repeating: "x", count: PassphrasePrompt.limit)
    terminal.type(longest + "\n")
    #expect(try await answer.value == Array(longest.utf8))
  }

  @Test func `two different answers are refused`() async throws {
    let terminal = try #require(FakeTerminal())
    let answer = Task { try await PassphrasePrompt(terminal: terminal.path).askTwice("new") }
    _ = await terminal.read(until: "new: ")
    terminal.type("abc\n")
    _ = await terminal.read(until: "again: ")
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
    let terminal = try #require(FakeTerminal())
    let answer = Task { try await PassphrasePrompt(terminal: terminal.path).askTwice("new") }
    _ = await terminal.read(until: "new: ")
    terminal.type(typed)
    await #expect(throws: Diagnostic(.usage, kind: kind, message)) { _ = try await answer.value }
    #expect(terminal.showsInput)
  }

  @Test func `a cancelled question shows input again`() async throws {
    let terminal = try #require(FakeTerminal())
    let question = Task { try await PassphrasePrompt(terminal: terminal.path).ask("passphrase") }
    _ = await terminal.read(until: ": ")
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

/// A terminal whose keyboard and screen a test holds.
private final class FakeTerminal: Sendable {
  let path: String
  private let keyboard: CInt
  private let screen: CInt

  init?() {
    let keyboard = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (unlocked, number): (CInt, CInt) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN, whose macros do not reach Swift.
    guard keyboard >= 0, unsafe ioctl(keyboard, 0x4004_5431, &unlocked) == 0,
      unsafe ioctl(keyboard, 0x8004_5430, &number) == 0
    else { return nil }
    self.keyboard = keyboard
    path = "/dev/pts/\(number)"
    // Held open so that the terminal outlives each question.
    screen = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
  }

  deinit {
    close(keyboard)
    close(screen)
  }

  var showsInput: Bool {
    var attributes = termios()
    unsafe tcgetattr(screen, &attributes)
    return attributes.c_lflag & tcflag_t(ECHO) != 0
  }

  func type(_ text: String) {
    #expect(throws: Never.self) { try DescriptorSink(keyboard).write(Array(text.utf8)) }
  }

  /// Returns what is on the screen up to `end`, waiting for it.
  func read(until end: String) async -> String {
    await blocking { self.readBlocking(until: end) }
  }

  private func readBlocking(until end: String) -> String {
    var bytes: [UInt8] = []
    while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8) {
      var byte: UInt8 = 0
      guard unsafe Glibc.read(keyboard, &byte, 1) == 1 else { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
