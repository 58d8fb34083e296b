import Dispatch

/// Runs work that blocks on a thread of its own, since a test that blocks the pool stops the others.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "blocking").async { continuation.resume(returning: work()) }
  }
}
