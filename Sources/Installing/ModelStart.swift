package import Manifests
package import ModelStore
package import Trust
import Verification

/// Leases the active version for a program that is about to load it, if that may start by today's trust.
///
/// What is leased stays whole for as long as the lease is held, whatever becomes active meanwhile.
package struct ModelStart: Sendable {
  /// What happened on the way to the lease.
  package enum Event: Hashable, Sendable {
    /// The start of a version on trial was counted; it has so many left.
    case counted(ActiveRecord.Entry, left: Int)
    /// The version is on trial, and a store that cannot be written counts nothing.
    case uncounted(ActiveRecord.Entry)
    /// The starts of a version were used up: it is marked bad, and the one before it is active.
    case trialEnded(ActiveRecord.Entry)
  }

  /// The starts of a version on trial are used up, and what was to return cannot, for this reason.
  package struct StuckTrial: Error {
    package let active: ActiveRecord.Entry
    package let cause: any Error
  }

  private let policy: @Sendable () throws -> TrustPolicy
  private let now: Timestamp
  private let isFull: Bool
  private let report: @Sendable (Event) -> Void

  /// - Parameters:
  ///   - now: The time of the start.
  ///   - isFull: Whether every byte is read, and not only asked whether the files are those that were verified.
  ///   - policy: Reads the trust policy.
  ///   - report: Called with each event.
  package init(
    now: Timestamp,
    isFull: Bool = false,
    policy: @escaping @Sendable () throws -> TrustPolicy,
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    (self.now, self.isFull, self.policy, self.report) = (now, isFull, policy, report)
  }

  /// Leases the active version of a model that can be written, which is reconciled, and counts the start of one on trial.
  ///
  /// When the starts are used up, the version is marked bad and the one before it is leased.
  /// - Throws: ``StuckTrial``, ``InstallError``, `TrustError`, `StoreError` or `SystemError`.
  package func lease(_ model: borrowing StoredModel) async throws -> LeasedModel {
    let leased = try await countedStart(of: model)
    try await verify(leased.record.active.name, in: model, isKept: true)
    return leased
  }

  /// Leases the active version of a model in a store that cannot be written, or is somebody else's.
  package func leaseReading(_ model: borrowing StoredModel) async throws -> LeasedModel {
    let leased = try model.leaseActive()
    if leased.record.triesLeft != nil { report(.uncounted(leased.record.active)) }
    try await verify(leased.record.active.name, in: model, isKept: false)
    return leased
  }

  /// Leases the active version and counts the start, of the version before it if this one has used up its starts.
  private func countedStart(of model: borrowing StoredModel) async throws -> LeasedModel {
    while true {
      let leased = try model.leaseActive()
      let active = leased.record.active
      guard leased.record.triesLeft != nil else { return leased }
      // A start that is refused is not counted.
      _ = try model.accept(active.name, by: policy(), now: now)
      switch try model.countStart(of: active.name) {
      case .notOnTrial: continue
      case .counted(let left):
        report(.counted(active, left: left))
        return leased
      case .usedUp(let record): try await endTrial(record, of: model)
      }
    }
  }

  private func endTrial(_ record: ActiveRecord, of model: borrowing StoredModel) async throws {
    let change = VersionSwitch(policy: try policy(), runtimes: [], now: now)
    let new: ActiveRecord
    do {
      new = try await change.markActiveBad(
        record,
        of: model,
        reason: "its trial ended without a good mark"
      )
    } catch StoreError.changedMeanwhile {
      return
    } catch {
      guard error is InstallError || error is StoreError || error is TrustError else {
        throw error
      }
      throw StuckTrial(active: record.active, cause: error)
    }
    guard new.active != record.active else { throw StoreError.noFallback(model.name) }
    report(.trialEnded(record.active))
  }

  private func verify(
    _ name: VersionName,
    in model: borrowing StoredModel,
    isKept: Bool
  ) async throws {
    let accepted = try model.accept(name, by: policy(), now: now)
    if !isFull, try model.proof(of: name) == .stamped { return }
    let found = try await StopFlag.withFlag { stop in
      try model.check(accepted, now: now, isFull: true, isKept: isKept) { _ in !stop.isRaised }
    }
    switch found {
    case .verified: return
    case .damaged(let name, let findings): throw InstallError.damagedVersion(name, findings)
    case .absent: throw StoreError.noSuchVersion(model.name, name.version)
    }
  }
}
