import Synchronization

/// A value that one thread at a time may use: a `Mutex` whose order the thread sanitizer sees too.
///
/// The lock of `Mutex` sits in a library that is not instrumented, so the sanitizer reports a race wherever two
/// threads meet at one. The atomic adds nothing but the order that it looks for.
struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let order = Atomic(false)

  init(_ value: consuming sending Value) { mutex = Mutex(value) }

  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { (value: inout sending Value) throws(Failure) -> sending Result in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
