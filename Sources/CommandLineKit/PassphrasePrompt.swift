import Glibc

/// Asks a person for a passphrase on the terminal, without showing it.
///
/// It reads from the terminal itself, so a redirected standard input does not matter. Answers are bytes: the caller
/// hands them on and overwrites them. The terminal shows what is typed again when the question ends, however it ends;
/// while it is asked, the keys that stop or abort a program do nothing, and Ctrl-C cancels the task.
package struct PassphrasePrompt: Sendable {
  /// The longest answer, in bytes.
  ///
  /// A terminal keeps 4095 bytes of a line and drops the rest silently, so a line of that length may have been
  /// cut; longer passphrases come from files.
  package static let limit = 4094

  private let path: String

  /// Creates a prompt on the terminal at `path`.
  package init(terminal path: String = "/dev/tty") { self.path = path }

  /// Asks `question` once; the answer may be empty.
  ///
  /// Throws a ``Diagnostic`` when there is no terminal or the answer ends early, and `CancellationError`.
  package func ask(_ question: String) async throws -> [UInt8] {
    try await withHiddenInput { terminal in
      try await terminal.answer(to: question)
    }
  }

  /// Asks for a new passphrase, and once more so that a slip is noticed; it must not be empty.
  package func askTwice(
    _ question: String,
    again: String = "the same again"
  ) async throws -> [UInt8] {
    try await withHiddenInput { terminal in
      var first = try await terminal.answer(to: question)
      guard !first.isEmpty else {
        throw Diagnostic(.usage, kind: .emptyPassphrase, "the passphrase is empty")
      }
      var second: [UInt8]
      do {
        second = try await terminal.answer(to: again)
      } catch {
        wipe(&first)
        throw error
      }
      defer { wipe(&second) }
      guard first == second else {
        wipe(&first)
        throw Diagnostic(.usage, kind: .passphrasesDiffer, "the two passphrases differ")
      }
      return first
    }
  }

  private func withHiddenInput<Result>(
    _ body: (borrowing HiddenInput) async throws -> Result
  ) async throws -> Result {
    guard let terminal = HiddenInput(path) else {
      throw Diagnostic(
        .usage,
        kind: .noTerminal,
        "there is no terminal to ask for the passphrase",
        helps: ["give it with --passphrase-file FILE or --passphrase-env VARIABLE"]
      )
    }
    return try await body(terminal)
  }
}

/// Overwrites the bytes of a secret; the corresponding C function is `explicit_bzero`.
private func wipe(_ bytes: inout [UInt8]) { unsafe explicit_bzero(&bytes, bytes.count) }

/// A terminal that does not show what is typed, until the value ends.
private struct HiddenInput: ~Copyable {
  private let descriptor: CInt
  private let shown: termios

  /// Opens the terminal at `path` and hides its input; the corresponding C function is `tcsetattr`.
  init?(_ path: String) {
    let descriptor = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var attributes = termios()
    guard unsafe tcgetattr(descriptor, &attributes) == 0 else {
      close(descriptor)
      return nil
    }
    let shown = attributes
    attributes.c_lflag &= ~tcflag_t(ECHO)
    attributes.c_lflag |= tcflag_t(ICANON | ISIG | ECHONL)
    unsafe withUnsafeMutableBytes(of: &attributes.c_cc) { keys in
      // Zero stands for no key.
      for key in [VQUIT, VSUSP] { unsafe keys[Int(key)] = 0 }
    }
    // Typed-ahead input is thrown away: it was shown, and was not meant for this question.
    guard unsafe tcsetattr(descriptor, TCSAFLUSH, &attributes) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.shown = shown
  }

  deinit {
    var shown = shown
    _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &shown)
    close(descriptor)
  }

  /// Shows `question` and returns the line that is typed, without its end.
  ///
  /// The terminal hands over whole lines, so looking for one twenty times a second delays nobody, blocks no thread,
  /// and notices a cancelled task.
  func answer(to question: String) async throws -> [UInt8] {
    do { try DescriptorSink(descriptor).write(Array("\(printable(question)): ".utf8)) } catch {
      throw failure
    }
    var line: [UInt8] = []
    line.reserveCapacity(PassphrasePrompt.limit + 1)
    var isWhole = false
    defer { if !isWhole { wipe(&line) } }
    while true {
      while !isReadable { try await Task.sleep(for: .milliseconds(50)) }
      var byte: UInt8 = 0
      let count = unsafe read(descriptor, &byte, 1)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { throw failure }
      if byte == UInt8(ascii: "\n") {
        isWhole = true
        return line
      }
      guard line.count < PassphrasePrompt.limit else {
        throw Diagnostic(
          .usage,
          kind: .longPassphrase,
          "the passphrase is longer than \(PassphrasePrompt.limit) bytes"
        )
      }
      line.append(byte)
    }
  }

  private var isReadable: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, 0) > 0
  }

  private var failure: Diagnostic {
    Diagnostic(.usage, kind: .noPassphrase, "no passphrase was given")
  }
}
