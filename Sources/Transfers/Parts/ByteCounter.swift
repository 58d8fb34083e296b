import Synchronization

/// A sum that several threads add to.
final class ByteCounter: Sendable {
  private let sum = Atomic<Int>(0)

  /// Adds `count` and returns the new sum.
  func add(_ count: Int) -> Int { sum.add(count, ordering: .relaxed).newValue }
}
