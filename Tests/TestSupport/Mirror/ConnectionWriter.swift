import Glibc

/// Writes to one connection, waiting where the peer is slow, and keeps to a rate.
///
/// Bytes are counted before they are sent, and taken back if they were not: who has received them finds them in the
/// log.
struct ConnectionWriter {
  let socket: Descriptor
  let stop: StopSignal

  /// Gives all bytes to the kernel; false if the peer is gone or the mirror stops.
  func write(_ bytes: [UInt8], rate: Int? = nil) -> Bool {
    var pace = Pace(rate)
    return write(bytes, &pace) { _ in }
  }

  /// Gives all bytes to the kernel at the pace of the body they belong to.
  func write(_ bytes: [UInt8], _ pace: inout Pace, _ sent: (Int) -> Void) -> Bool {
    var done = 0
    while done < bytes.count {
      guard pace.wait(stop) else { return false }
      let block = min(bytes.count - done, pace.block)
      sent(block)
      let result = unsafe bytes.withUnsafeBytes {
        unsafe send(
          socket.number,
          $0.baseAddress?.advanced(by: done),
          block,
          CInt(MSG_NOSIGNAL)
        )
      }
      let code = errno  // Read before anything else runs.
      sent(max(0, result) - block)
      guard let count = advance(result, code) else { return false }
      done += count
      pace.sent += count
    }
    return !stop.isRaised
  }

  /// Gives a range of a file to the kernel without copying; the C function is `sendfile`.
  func write(file: CInt, _ range: Range<Int>, rate: Int?, _ sent: (Int) -> Void) -> Bool {
    var pace = Pace(rate)
    var offset = off_t(range.lowerBound)
    while offset < range.upperBound {
      guard pace.wait(stop) else { return false }
      let block = min(range.upperBound - offset, pace.block)
      sent(block)
      let result = unsafe sendfile(socket.number, file, &offset, block)
      let code = errno
      sent(max(0, result) - block)
      // The file became shorter: the rest will never come.
      guard result != 0, let count = advance(result, code) else { return false }
      pace.sent += count
    }
    return !stop.isRaised
  }

  /// Waits until the peer closes or the mirror stops, throwing away what comes.
  func waitForEnd() {
    var waste = [UInt8](repeating: 0, count: 4096)
    while stop.wait(for: socket.number, CInt(POLLIN)) == .ready {
      let count = unsafe recv(socket.number, &waste, waste.count, 0)
      guard count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)) else { return }
    }
  }

  /// The bytes that a call took, after waiting if it took none; nil once the connection is of no use.
  private func advance(_ result: Int, _ code: CInt) -> Int? {
    guard result < 0 else { return stop.isRaised ? nil : result }
    guard code == EAGAIN || code == EINTR else { return nil }
    return stop.wait(for: socket.number, CInt(POLLOUT)) == .ready ? 0 : nil
  }
}

/// Keeps bytes to a rate, measured from the first of them.
struct Pace {
  let rate: Int?
  var sent = 0
  private let start = ContinuousClock.now

  init(_ rate: Int?) { self.rate = rate.map { max(1, $0) } }

  /// The most bytes to write at once: a twentieth of a second, or 1 MiB.
  var block: Int { rate.map { min(max(1, $0 / 20), 1 << 16) } ?? 1 << 20 }

  /// Waits until more may be sent; false if the mirror stops.
  func wait(_ stop: StopSignal) -> Bool {
    guard let rate else { return !stop.isRaised }
    let due = start + .seconds(Double(sent) / Double(rate))
    return stop.wait(for: nil, until: due) == .late
  }
}
