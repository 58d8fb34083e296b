import Installing
import Manifests
import ModelStore
import SystemFiles
import Trust

// Which version is in use.
extension ModelLibrary {
  /// Makes a version the active one that is on this machine; works offline.
  ///
  /// Its bytes are checked as far as it is not known that they are those that were verified.
  /// - Throws: A ``ModelFailure``; then the active version is what it was.
  public func activate(
    _ model: String,
    version: String,
    allowsDowngrade: Bool = false
  ) async throws(ModelFailure) {
    try await changing(model) { [policy, settings] stored, now in
      let change = VersionSwitch(policy: policy, runtimes: settings.runtimes, now: now)
      _ = try await change.activate(
        Version(version),
        of: stored,
        consent: allowsDowngrade ? .anyVersion : .returnToPrevious
      )
    }
  }

  /// Makes the version active again that was active before; a second time returns to this one.
  ///
  /// Works offline.
  /// - Returns: The version that is active now.
  /// - Throws: A ``ModelFailure``; then the active version is what it was.
  @discardableResult
  public func rollback(_ model: String) async throws(ModelFailure) -> String {
    try await changing(model) { [policy, settings] stored, now in
      let change = VersionSwitch(policy: policy, runtimes: settings.runtimes, now: now)
      return try await change.rollBack(stored).active.version.text
    }
  }

  /// Runs `body` with the active version, which stays whole until `body` ends.
  ///
  /// A version does not start whose signers are trusted no more, or whose files are not those that were verified. The start
  /// of a version on trial is counted.
  /// - Throws: A ``ModelFailure``, or what `body` throws.
  public func withActiveModel<Value: Sendable>(
    _ model: String,
    _ body: (borrowing ActiveModel) async throws -> Value
  ) async throws -> Value {
    let active = try await leaseActiveModel(model)
    let value = try await body(active)
    active.release()
    return value
  }

  /// Leases the active version for as long as the caller keeps the value, as a service does that swaps versions.
  ///
  /// Asks what ``withActiveModel(_:_:)`` asks.
  public func leaseActiveModel(_ model: String) async throws(ModelFailure) -> ActiveModel {
    let name = try modelName(model)
    let now = try currentTime()
    let holder = try await working { [self] in LeaseHolder(try await lease(name, at: now)) }
    return ActiveModel(holder)
  }

  private func lease(_ name: ModelName, at now: Timestamp) async throws -> LeasedModel {
    guard let existing = try Store.open(reading: storePath) else {
      throw StoreError.noSuchModel(name)
    }
    try existing.requireModel(name)
    let start = ModelStart(now: now, policy: { [policy] in policy })
    guard let store = try storeIfWritable() else {
      return try await start.leaseReading(try existing.model(name))
    }
    let stored = try store.modelForChanging(name)
    _ = try await reconciler(at: now).reconcile(stored)
    return try await start.lease(stored)
  }

  /// The store for changing it; nil where it cannot be written, or is somebody else's.
  private func storeIfWritable() throws -> Store? {
    do {
      return try Store(changing: storePath)
    } catch let error as SystemError {
      guard error.isNotWritable else { throw error }
      return nil
    } catch let error as StoreError {
      switch error {
      case .unsafeOwnership, .uselessLocks: return nil
      default: throw error
      }
    }
  }

  /// Runs a change of a model that the store must have, off the shared threads.
  private func changing<Value: Sendable>(
    _ model: String,
    _ change: @escaping @Sendable (borrowing StoredModel, Timestamp) async throws -> Value
  ) async throws(ModelFailure) -> Value {
    let name = try modelName(model)
    let now = try currentTime()
    return try await working { [self] in
      guard let existing = try Store.open(reading: storePath) else {
        throw StoreError.noSuchModel(name)
      }
      try existing.requireModel(name)
      let stored = try Store(changing: storePath).modelForChanging(name)
      _ = try await reconciler(at: now).reconcile(stored)
      return try await change(stored, now)
    }
  }

  /// Runs what reads, hashes or waits for locks on a thread of its own, and says what went wrong; cancelled with its task.
  func working<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws(ModelFailure) -> Value {
    let task = Task(executorPreference: BlockingExecutor("sealift.work"), operation: work)
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      throw ModelFailure(error)
    }
  }
}
