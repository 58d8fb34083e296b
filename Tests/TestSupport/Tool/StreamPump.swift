import Glibc

/// Carries the streams of a child until it ends, looking at its memory now and then.
struct StreamPump {
  struct Report {
    var isTimedOut = false
    /// The highest value seen; nil if the child ended before the first look.
    var peakMemory: Int?
  }

  private static let lookInterval = Duration.milliseconds(10)

  private var input: InputPipe
  private var output: Descriptor?
  private var errors: Descriptor?
  private let end: Descriptor
  private var report = Report()
  private var block = [UInt8](repeating: 0, count: 64 * 1024)

  init(input: InputPipe, output: Descriptor, errors: Descriptor, end: Descriptor) {
    self.input = input
    self.output = output
    self.errors = errors
    self.end = end
  }

  /// Returns once the child has ended and all that it wrote is in its state.
  ///
  /// Children of the child may live on and hold the pipes: they are not waited for.
  mutating func run(_ child: ChildProcess, until deadline: ContinuousClock.Instant) -> Report {
    var nextLook = ContinuousClock.now
    while true {
      let now = ContinuousClock.now
      if now >= nextLook {
        look(at: child)
        nextLook = now + Self.lookInterval
      }
      if now >= deadline, !report.isTimedOut {
        report.isTimedOut = true
        child.signal(SIGKILL, wholeGroup: true)
      }
      let hasEnded = waitForWork(until: nextLook)
      input.write()
      drain(into: child.state)
      if hasEnded { return report }
    }
  }

  private mutating func look(at child: ChildProcess) {
    guard let peak = residentPeak(of: String(child.process)) else { return }
    report.peakMemory = max(report.peakMemory ?? 0, peak)
  }

  /// Waits for something to do; true if the child has ended.
  private func waitForWork(until deadline: ContinuousClock.Instant) -> Bool {
    var waits = [
      pollfd(fd: end.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: input.number, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: output?.number ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors?.number ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    _ = unsafe poll(&waits, nfds_t(waits.count), milliseconds(until: deadline))
    return waits[0].revents != 0
  }

  private mutating func drain(into state: ChildState) {
    while let bytes = Self.read(&output, &block) { state.add { $0.output += bytes } }
    while let bytes = Self.read(&errors, &block) { state.add { $0.errors += bytes } }
  }

  /// What a pipe holds now, nil if nothing; a pipe at its end is closed.
  private static func read(
    _ pipe: inout Descriptor?,
    _ block: inout [UInt8]
  ) -> ArraySlice<UInt8>? {
    guard let descriptor = pipe else { return nil }
    while true {
      let count = unsafe Glibc.read(descriptor.number, &block, block.count)
      if count > 0 { return block[..<count] }
      if count < 0, errno == EINTR { continue }
      if count == 0 || errno != EAGAIN { pipe = nil }
      return nil
    }
  }
}
