package import Manifests
package import ModelStore
package import Trust
import Verification

/// Brings what a store holds of a model back to a state that it may be in.
///
/// Works offline, and the same again changes nothing. The active version is never deleted, and a version that
/// nobody chose, or that is marked bad, is never activated. What takes a trust policy is done only when it is
/// needed, so a broken policy stops nobody whose store is whole.
package struct Reconciler: Sendable {
  private let policy: @Sendable () throws -> TrustPolicy
  private let now: Timestamp
  private let report: @Sendable (Int) -> Void

  /// - Parameters:
  ///   - now: The time at which what a person removed counts as gone, and that a new record tells.
  ///   - policy: Reads the trust policy; asked at most once a model.
  ///   - report: Called on any thread with each count of bytes that were read.
  package init(
    now: Timestamp,
    policy: @escaping @Sendable () throws -> TrustPolicy,
    report: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.policy = policy
    self.now = now
    self.report = report
  }

  /// What ``repair(_:)`` would do first; reads no bytes of model files and writes nothing.
  package func plan(_ model: borrowing StoredModel) throws -> [ReconcileStep] {
    var steps = try model.reconcileSteps(now: now)
    let state = try model.recordState()
    if state.record == nil, let name = try restorableName(in: model) {
      steps.append(.writeRecord(name))
    }
    let names = try model.versionNames()
    if let record = state.record, !names.contains(record.active.name),
      let previous = record.previous, names.contains(previous.name),
      try model.mayActivateByItself(previous.name)
    {
      steps.append(.rollBack(from: record.active.name, to: previous.name))
    }
    for name in names where try model.proof(of: name) != .stamped {
      switch try acceptance(of: name, in: model) {
      case .accepted: steps.append(.verify(name))
      case .nothing where try model.isDiscardable(name, by: state): steps.append(.discard(name))
      case .nothing, .refused: break
      }
    }
    return steps + (try model.damagedMarks().map(ReconcileStep.removeLeftover))
  }

  /// What every command does first that changes a model: finishes what a killed process left, and replaces an active
  /// version that is damaged by the previous one, every byte of which is read before.
  ///
  /// Reads bytes only of a version whose stamp proves nothing any more. A damaged version that has no whole
  /// predecessor, or one that is marked bad, stays active, and its state says so.
  /// - Returns: What was done.
  @discardableResult
  package func reconcile(_ model: borrowing StoredModel) async throws -> [ReconcileStep] {
    var steps = try model.reconcile(now: now)
    guard let record = try model.recordState().record,
      try model.proof(of: record.active.name) != .stamped
    else { return steps }
    switch try await check(record.active.name, in: model, isFull: false) {
    case .verified: steps.append(.verify(record.active.name))
    case nil: break
    case .damaged, .absent:
      if let previous = record.previous, try await rollBack(model, record, to: previous.name) {
        steps.append(.rollBack(from: record.active.name, to: previous.name))
      }
    }
    return steps
  }

  /// Does what ``reconcile(_:)`` does, and all that a person must ask for: reads every version that its stamp does not
  /// prove, moves damaged ones to the trash that are neither active nor the way back, and writes a record that is lost
  /// anew, if `current` names a version whose bytes are as signed.
  /// - Returns: What was done.
  package func repair(_ model: borrowing StoredModel) async throws -> [ReconcileStep] {
    var steps: [ReconcileStep] = []
    if try model.recordState().record == nil, let name = try restorableName(in: model),
      let version = try await wholeVersion(name, in: model)
    {
      try model.activate(version, now: now, as: .restoring)
      steps.append(.writeRecord(name))
    }
    steps += try await reconcile(model)
    for name in try model.versionNames() where try model.proof(of: name) != .stamped {
      if let step = try await settle(name, in: model) { steps.append(step) }
    }
    steps += try model.reconcile(now: now)
    // At the end: while it cannot be read which versions are bad, none of them comes back by itself.
    return steps + (try model.removeDamagedMarks().map(ReconcileStep.removeLeftover))
  }

  /// Reads a version that its stamp does not prove, and takes it away if it is damaged and nobody chose it.
  private func settle(
    _ name: VersionName,
    in model: borrowing StoredModel
  ) async throws -> ReconcileStep? {
    switch try acceptance(of: name, in: model) {
    case .refused: return nil
    case .nothing: return try model.discard(name) ? .discard(name) : nil
    case .accepted(let accepted):
      switch try await check(accepted, in: model, isFull: true) {
      case .verified: return .verify(name)
      case .damaged: return try model.discard(name) ? .discard(name) : nil
      case .absent: return nil
      }
    }
  }

  /// The version that a lost record is to name: the one that `current` names, unless it is, or may be, marked bad.
  private func restorableName(in model: borrowing StoredModel) throws -> VersionName? {
    guard let name = try model.linkedName(), try model.mayActivateByItself(name) else { return nil }
    return name
  }

  private func rollBack(
    _ model: borrowing StoredModel,
    _ record: ActiveRecord,
    to name: VersionName
  ) async throws -> Bool {
    guard try model.mayActivateByItself(name) else { return false }
    let lease = try model.lease(name)
    guard let version = try await wholeVersion(name, in: model) else { return false }
    try model.activate(version, now: now, as: .returning(from: record.active))
    lease.release()
    return true
  }

  private func wholeVersion(
    _ name: VersionName,
    in model: borrowing StoredModel
  ) async throws -> VerifiedVersion? {
    guard case .verified(let version)? = try await check(name, in: model, isFull: true) else {
      return nil
    }
    return version
  }

  /// Compares a version with its manifest; nil where today's trust does not accept that, or there is none to read.
  private func check(
    _ name: VersionName,
    in model: borrowing StoredModel,
    isFull: Bool
  ) async throws -> VersionCheck? {
    guard try model.versionNames().contains(name) else { return .absent }
    guard case .accepted(let accepted) = try acceptance(of: name, in: model) else { return nil }
    return try await check(accepted, in: model, isFull: isFull)
  }

  private func check(
    _ accepted: AcceptedManifest,
    in model: borrowing StoredModel,
    isFull: Bool
  ) async throws -> VersionCheck {
    try await StopFlag.withFlag { stop in
      try model.check(accepted, now: now, isFull: isFull) { count in
        report(count)
        return !stop.isRaised
      }
    }
  }

  /// What stands in the place of the manifest of a version.
  private enum Acceptance {
    case accepted(AcceptedManifest)
    /// One that today's trust does not accept.
    case refused
    /// None that can be read, or another version's.
    case nothing
  }

  private func acceptance(
    of name: VersionName,
    in model: borrowing StoredModel
  ) throws -> Acceptance {
    let policy = try policy()
    do {
      return .accepted(try model.accept(name, by: policy, now: now))
    } catch is TrustError {
      return .refused
    } catch InstallError.otherManifest {
      return .nothing
    } catch StoreError.damagedVersion {
      return .nothing
    } catch StoreError.noSuchVersion {
      return .refused
    }
  }
}
