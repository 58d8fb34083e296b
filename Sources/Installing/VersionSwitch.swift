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
  /// - Throws: ``InstallError``, `TrustError`, `StoreError` or `SystemError`; then nothing has changed.
  package func activate(
    _ version: Version,
    of model: borrowing StoredModel,
    consent: VersionHistory.Consent
  ) async throws -> ActiveRecord {
    let name = try model.versionName(version)
    let verified = try await verify(name, in: model)
    let release = verified.accepted.release
    try release.requireRuntime(runtimes)
    let structure = try model.structure(of: verified)
    guard structure.findings.isEmpty else {
      throw InstallError.unusable(release.model, release.version, structure.findings)
    }
    try release.requireRuntime(runtimes, derived: structure.runtimes)
    return try model.activate(verified, now: now, consent: consent)
  }

  /// Makes the version active that was active before.
  ///
  /// It ran here before, so a runtime need not be stated again; one that is stated must satisfy it.
  package func rollBack(_ model: borrowing StoredModel) async throws -> ActiveRecord {
    let record = try model.activeRecord()
    guard let previous = record.previous else { throw StoreError.noPrevious(model.name) }
    let verified = try await verify(previous.name, in: model)
    if !runtimes.isEmpty { try verified.accepted.release.requireRuntime(runtimes) }
    return try model.activate(verified, now: now, consent: .returnToPrevious)
  }

  private func verify(
    _ name: VersionName,
    in model: borrowing StoredModel
  ) async throws -> VerifiedVersion {
    let (envelope, acceptedAt) = try model.manifest(of: name)
    let accepted = try policy.accept(envelope, at: acceptedAt ?? now)
    guard accepted.release.model == model.name,
      name == VersionName(version: accepted.release.version, manifest: accepted.digest)
    else { throw InstallError.otherManifest(name) }
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
