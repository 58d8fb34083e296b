import CLinux
import Glibc
import Synchronization

/// A file descriptor that is closed with the last reference to it.
final class Descriptor: Sendable {
  private let stored: Atomic<CInt>

  /// Takes over a descriptor that nothing else closes.
  init(_ number: CInt) { stored = Atomic(number) }

  deinit { close() }

  /// The number for system calls, -1 once it is closed.
  var number: CInt { stored.load(ordering: .relaxed) }

  /// Closes it now, whoever else refers to it; only for one that a single thread uses.
  func close() {
    let number = stored.exchange(-1, ordering: .relaxed)
    if number >= 0 { Glibc.close(number) }
  }

  /// The two ends of a new pipe, closed in children, never one of the standard streams.
  static func pipe() throws(SupportError) -> (reader: Descriptor, writer: Descriptor) {
    var ends: [CInt] = [-1, -1]
    let result = unsafe linux_pipe(&ends)
    guard result == 0 else { throw .failed(call: "pipe2", code: CInt(-result)) }
    let (first, second) = (Descriptor(ends[0]), Descriptor(ends[1]))
    return (try first.duplicate(), try second.duplicate())
  }

  func setNonBlocking() throws(SupportError) {
    try check("fcntl") { fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
  }

  private func duplicate() throws(SupportError) -> Descriptor {
    Descriptor(try check("fcntl") { fcntl(number, F_DUPFD_CLOEXEC, 3) })
  }
}

/// Runs a call that returns -1 and sets `errno`, again for as long as signals interrupt it.
@discardableResult
func check<Result: SignedInteger>(
  _ call: String,
  _ body: () -> Result
) throws(SupportError) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    let code = errno
    if code != EINTR { throw .failed(call: call, code: code) }
  }
}
