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

/// Opens `/dev/null` for each of the descriptors 0 to 2 that is closed, so that no file of ours gets its number.
///
/// It is opened for reading only: results that nobody can get are still a failure to write them.
func occupyStandardDescriptors() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
    // The kernel gives the lowest number that is free, and all below are taken.
    _ = unsafe open("/dev/null", O_RDONLY)
  }
}
