import Glibc

/// Why bytes did not get out.
package enum OutputProblem: Error, Equatable, Sendable {
  /// The reader at the other end of a pipe is gone.
  case closed
  /// The system refused, with this `errno`.
  case failed(code: CInt)
}

/// A place that output goes to.
package protocol OutputSink: Sendable {
  /// Writes all of `bytes`, or throws.
  func write(_ bytes: [UInt8]) throws(OutputProblem)
}

/// A descriptor as an output, such as standard output; it stays open.
///
/// The process must ignore SIGPIPE, else a closed pipe ends it.
package struct DescriptorSink: OutputSink {
  private let descriptor: CInt

  package init(_ descriptor: CInt) { self.descriptor = descriptor }

  /// Writes all of `bytes`, going on after short writes, signals, and a full pipe that does not block.
  ///
  /// The corresponding C function is `write`.
  package func write(_ bytes: [UInt8]) throws(OutputProblem) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
      }
      if count >= 0 {
        done += count
      } else {
        try recover(from: errno)
      }
    }
  }

  private func recover(from code: CInt) throws(OutputProblem) {
    switch code {
    case EINTR: return
    case EAGAIN:
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&request, 1, -1)
    case EPIPE: throw .closed
    default: throw .failed(code: code)
    }
  }
}
