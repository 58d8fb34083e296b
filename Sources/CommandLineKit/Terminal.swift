import Glibc

/// Says whether a descriptor is a terminal; the corresponding C function is `isatty`.
func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

/// Returns the columns of the terminal on standard error, 80 where nobody knows.
///
/// The corresponding C call is `ioctl` with `TIOCGWINSZ`.
@Sendable package func terminalWidth() -> Int {
  var size = winsize()
  guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
    return 80
  }
  return Int(size.ws_col)
}

/// Returns the time since a fixed moment of this process; it never goes back.
@Sendable package func monotonicTime() -> Duration { processStart.duration(to: .now) }

private let processStart = ContinuousClock.now
