import Foundation
import Glibc

/// A terminal whose keyboard and screen a test holds.
package final class TestTerminal: Sendable {
  /// The path that a program opens.
  package let path: String
  private let keyboard: Int32
  private let screen: Int32
  private let shown = Guarded([UInt8]())

  /// Makes a terminal; nil where the system gives none.
  package init?() {
    let keyboard = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (unlocked, number): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN, whose macros do not reach Swift.
    guard keyboard >= 0, unsafe ioctl(keyboard, 0x4004_5431, &unlocked) == 0,
      unsafe ioctl(keyboard, 0x8004_5430, &number) == 0
    else { return nil }
    self.keyboard = keyboard
    path = "/dev/pts/\(number)"
    // Held open so that the terminal outlives each program.
    screen = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
  }

  deinit {
    close(keyboard)
    close(screen)
  }

  /// Whether what is typed is shown.
  package var showsInput: Bool {
    var attributes = termios()
    unsafe tcgetattr(screen, &attributes)
    return attributes.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Types `text` as a person would.
  package func type(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(keyboard, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Says that no program will write any more, so that nobody waits for one.
  package func end() {
    var byte: UInt8 = 0
    _ = unsafe write(screen, &byte, 1)
  }

  /// All that was on the screen so far.
  package var text: String { String(decoding: shown.withLock { $0 }, as: UTF8.self) }

  /// Returns once the screen shows `end` as its last text; false if the terminal goes away, or after ``end()``.
  package func wait(for end: String) async -> Bool {
    await withCheckedContinuation { continuation in
      let thread = Thread { [self] in continuation.resume(returning: read(until: end)) }
      thread.start()
    }
  }

  private func read(until end: String) -> Bool {
    while true {
      if shown.withLock({ $0.suffix(end.utf8.count).elementsEqual(end.utf8) }) { return true }
      var byte: UInt8 = 0
      let count = unsafe Glibc.read(keyboard, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, byte != 0 else { return false }
      shown.withLock { $0.append(byte) }
    }
  }
}
