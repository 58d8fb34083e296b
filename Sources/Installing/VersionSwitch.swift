import Digests
package import Manifests
package import ModelStore
package import Trust
import Verification

/// Changes which version of a model is active, among those that the store has.
package struct VersionSwitch: Sendable {
  private let policy: TrustPolicy
  private let runtimes: [RuntimeStatement]
  private let now: Timestamp

  package init(policy: TrustPolicy, runtimes: [RuntimeStatement], now: Timestamp) {
    self.policy = policy
    self.runtimes = runtimes
    self.now = now
  }

  /// Makes the version active if today's trust accepts it, its bytes are right, and a runtime satisfies it.
  ///
  /// - Parameters:
  ///   - version: The version; the store has it once.
  ///   - model: The model.
  ///   - consent: What a person has agreed to.
  ///   - trial: How many starts the version has before it counts as bad; nil makes it good at once.
  /// - Returns: The record that is now on disk.
  /// - Throws: ``InstallError``, `TrustError`, `StoreError` or `SystemError`; then nothing has changed.
  package func activate(
    _ version: Version,
    of model: borrowing StoredModel,
    consent: VersionHistory.Consent,
    trial: Int? = nil
  ) async throws -> ActiveRecord {
    let name = try model.versionName(version)
    let lease = try model.lease(name)
    let verified = try await verify(name, in: model)
    let release = verified.accepted.release
    try release.requireRuntime(runtimes)
    let structure = try model.structure(of: verified)
    guard structure.findings.isEmpty else {
      throw InstallError.unusable(release.model, release.version, structure.findings)
    }
    try release.requireRuntime(runtimes, derived: structure.needs)
    let record = try model.activate(
      verified,
      now: now,
      as: .named(consent: consent, trial: trial)
    )
    lease.release()
    return record
  }

  /// Makes the version active that was active before.
  ///
  /// It ran here before, so a runtime need not be stated again; one that is stated must satisfy it. Throws
  /// `StoreError.changedMeanwhile` if another process has activated something since the record was read.
  package func rollBack(_ model: borrowing StoredModel) async throws -> ActiveRecord {
    let record = try model.activeRecord()
    guard let previous = record.previous else { throw StoreError.noPrevious(model.name) }
    if let mark = try model.badMark(of: previous.name) {
      throw StoreError.markedBad(model.name, previous.version, reason: mark.reason)
    }
    let lease = try model.lease(previous.name)
    let verified = try await verify(previous.name, in: model)
    if !runtimes.isEmpty { try verified.accepted.release.requireRuntime(runtimes) }
    let new = try model.activate(verified, now: now, as: .returning(from: record.active))
    lease.release()
    return new
  }

  /// Marks the active version bad and makes the previous one active, which is then without a way back.
  ///
  /// With no previous version, or with one that is marked bad itself, the mark is all that changes. Otherwise throws as
  /// ``rollBack(_:)`` does, with the mark made.
  package func markActiveBad(
    _ record: ActiveRecord,
    of model: borrowing StoredModel,
    reason: String
  ) async throws -> ActiveRecord {
    try model.markBad(record.active.name, reason: reason, now: now)
    guard let previous = record.previous, try model.mayActivateByItself(previous.name) else {
      return record
    }
    let lease = try model.lease(previous.name)
    let verified = try await verify(previous.name, in: model)
    let new = try model.activate(
      verified,
      now: now,
      as: .returning(from: record.active, keepsWayBack: false)
    )
    lease.release()
    return new
  }

  private func verify(
    _ name: VersionName,
    in model: borrowing StoredModel
  ) async throws -> VerifiedVersion {
    let accepted = try model.accept(name, by: policy, now: now)
    let check = try await StopFlag.withFlag { stop in
      try model.check(accepted, now: now) { _ in !stop.isRaised }
    }
    switch check {
    case .verified(let version): return version
    case .damaged(let name, let findings): throw InstallError.damagedVersion(name, findings)
    case .absent: throw StoreError.noSuchVersion(model.name, name.version)
    }
  }
}

extension StoredModel {
  /// Accepts the manifest that lies with a version, by the policy of today at the time of first acceptance.
  package func accept(
    _ name: VersionName,
    by policy: TrustPolicy,
    now: Timestamp
  ) throws -> AcceptedManifest {
    let (envelope, acceptedAt) = try manifest(of: name)
    let accepted: AcceptedManifest
    do throws(TrustError) {
      accepted = try policy.accept(envelope, at: acceptedAt ?? now)
    } catch {
      throw policy.refusal(error, of: self.name)
    }
    guard accepted.release.model == self.name,
      name == VersionName(version: accepted.release.version, manifest: accepted.digest)
    else { throw InstallError.otherManifest(name) }
    return accepted
  }
}
