import Glibc

/// A connection that is read and written without waiting, closed when the value ends.
package struct StreamSocket: ~Copyable, Sendable {
  /// What came over a connection.
  package enum Received: Equatable, Sendable {
    case bytes([UInt8])
    /// Nothing has come yet.
    case nothing
    /// The other side is done, or gone.
    case end
  }

  package let descriptor: CInt

  init(descriptor: CInt) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Reads up to `limit` bytes of what has come; the corresponding C function is `recv`.
  package func receive(limit: Int) -> Received {
    var bytes = [UInt8](repeating: 0, count: limit)
    while true {
      let count = unsafe recv(descriptor, &bytes, limit, CInt(MSG_DONTWAIT))
      if count > 0 { return .bytes(Array(bytes[..<count])) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      default: return .end
      }
    }
  }

  /// Sends as many of `bytes` as there is room for, which may be none; nil if the other side is gone.
  ///
  /// The corresponding C function is `send`.
  package func send(_ bytes: Span<UInt8>) -> Int? {
    let flags = CInt(MSG_DONTWAIT | MSG_NOSIGNAL)
    while true {
      let count = unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
      }
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN: return 0
      default: return nil
      }
    }
  }
}

/// A descriptor, and what is waited for there.
package struct SocketInterest: Hashable, Sendable {
  package let descriptor: CInt
  package let reads: Bool
  package let writes: Bool

  package init(_ descriptor: CInt, reads: Bool = false, writes: Bool = false) {
    (self.descriptor, self.reads, self.writes) = (descriptor, reads, writes)
  }
}

/// Waits until one of `interests` is met, or this many milliseconds have passed; says of each whether it is.
///
/// An error on a connection meets it too: the next call there tells. The corresponding C function is `poll`.
package func waitForSockets(
  _ interests: [SocketInterest],
  milliseconds: Int32
) throws(SystemError) -> [Bool] {
  var entries = interests.map { interest in
    pollfd(
      fd: interest.descriptor,
      events: Int16((interest.reads ? POLLIN : 0) | (interest.writes ? POLLOUT : 0)),
      revents: 0
    )
  }
  try check("poll") { unsafe poll(&entries, nfds_t(entries.count), milliseconds) }
  return entries.map { $0.revents != 0 }
}
