import Glibc

/// The bytes for a child's standard input, and the pipe they go through.
struct InputPipe {
  private let pipe: Descriptor
  private let bytes: [UInt8]
  private var done = 0

  /// Whether the pipe is left open after the last byte.
  private let staysOpen: Bool

  init(_ pipe: Descriptor, _ bytes: [UInt8], staysOpen: Bool) {
    self.pipe = pipe
    self.bytes = bytes
    self.staysOpen = staysOpen
  }

  /// The descriptor to wait for, -1 once there is nothing more to write.
  var number: CInt { done < bytes.count ? pipe.number : -1 }

  /// Writes what the pipe takes, and closes it after the last byte or when nobody reads.
  mutating func write() {
    while pipe.number >= 0 {
      guard done < bytes.count else {
        if !staysOpen { pipe.close() }
        return
      }
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(pipe.number, $0.baseAddress?.advanced(by: done), $0.count - done)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count >= 0 else { return pipe.close() }
      done += count
    }
  }
}
