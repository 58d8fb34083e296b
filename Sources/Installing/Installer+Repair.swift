package import Manifests
package import ModelStore
import SystemFiles
package import Trust
import Verification

extension Installer {
  /// Makes a version whole again that is in the store, and leaves alone which version is active.
  ///
  ///     lock -> lease -> read all -> fetch -> verify on disk -> exchange -> read all
  ///
  /// Wrong files are made anew in staging, of chunks that are right in themselves or in other versions, and of what only
  /// mirrors have; then they change places with the wrong ones. Who has one of these open keeps it. What does not
  /// belong to the release goes to the trash. Whatever is thrown before the exchange, the files of the version are as
  /// they were but for permission bits, and what was fetched is kept for the next run.
  /// - Throws: ``InstallError``, `StoreError`, `FetchError`, `SystemError` or `CancellationError`.
  package func repair(in store: borrowing Store) async throws -> RepairOutcome {
    let model = try store.modelForChanging(release.model)
    let name = VersionName(version: release.version, manifest: request.accepted.digest)
    let lock = try await model.takeInstallTurn(of: name, request.waiting) { report($0) }
    let lease = try model.lease(name)
    try model.reconcile(holding: lock, now: now)
    let damage = try await damage(of: name, in: model, isKept: true)
    if !damage.isNone { report(.damaged(name, damage)) }
    var outcome = RepairOutcome(
      name: name,
      filesPath: model.filesPath(of: name),
      damage: damage,
      replacedPath: nil,
      report: nil
    )
    if damage.findings.isEmpty, damage.indices.isEmpty {
      // What an earlier repair was killed with, after it had done its work.
      try model.removeCandidate(name, holding: lock)
    } else {
      outcome = try await mend(outcome, in: model, holding: lock)
    }
    lease.release()
    lock.release()
    return outcome
  }

  private func mend(
    _ outcome: RepairOutcome,
    in model: borrowing StoredModel,
    holding lock: borrowing InstallLock
  ) async throws -> RepairOutcome {
    let damage = outcome.damage
    if !damage.findings.isEmpty { try model.noteDamage(of: outcome.name) }
    var candidate = try model.candidate(
      for: request.accepted,
      bringing: damage.indices,
      holding: lock
    )
    let fetched = try await complete(noting: &candidate, in: model)
    let replaced = try model.mend(candidate)
    switch try await check(in: model, isKept: true) {
    case .verified: break
    case .damaged(_, let findings): throw InstallError.damagedOnDisk(outcome.filesPath, findings)
    case .absent: throw StoreError.noSuchVersion(model.name, release.version)
    }
    try model.removeRest(of: candidate)
    return RepairOutcome(
      name: outcome.name,
      filesPath: outcome.filesPath,
      damage: damage,
      replacedPath: replaced,
      report: fetched
    )
  }

  /// Reads a version to the last byte, and says what is wrong with it; puts permission bits right if `isKept`.
  ///
  /// Throws ``InstallError/unusable(_:_:_:)`` where the signed bytes themselves are at fault.
  func damage(
    of name: VersionName,
    in model: borrowing StoredModel,
    isKept: Bool
  ) async throws -> Damage {
    let oddities = try model.oddities(of: name, release)
    switch try await check(in: model, isKept: isKept) {
    case .verified: return Damage([], oddities, of: release)
    case .absent: throw StoreError.noSuchVersion(model.name, name.version)
    case .damaged(_, let findings):
      let faults = findings.filter(\.isPublishersFault)
      guard faults.isEmpty else {
        throw InstallError.unusable(release.model, release.version, faults)
      }
      return Damage(findings, oddities, of: release)
    }
  }

  private func check(in model: borrowing StoredModel, isKept: Bool) async throws -> VersionCheck {
    let progress = VerifyingProgress(total: release.size, of: .version) { report($0) }
    return try await StopFlag.withFlag { stop in
      try model.check(request.accepted, now: now, isFull: true, isKept: isKept) { count in
        progress.add(count)
        return !stop.isRaised
      }
    }
  }
}

extension StoredModel {
  /// Accepts the manifest of a version that is to be repaired, by the policy and at the time of today: bytes are to come
  /// in, as with an install.
  ///
  /// The copy that is kept for backups serves where the one beside the files does not. Writes nothing.
  package func acceptForRepair(
    _ name: VersionName,
    by policy: TrustPolicy,
    now: Timestamp
  ) throws -> AcceptedManifest {
    var refusal: (any Error)?
    for envelope in try manifests(of: name) {
      do {
        let accepted = try policy.accept(envelope, at: now)
        guard accepted.release.model == self.name,
          name == VersionName(version: accepted.release.version, manifest: accepted.digest)
        else { throw InstallError.otherManifest(name) }
        return accepted
      } catch {
        refusal = refusal ?? error
      }
    }
    throw refusal ?? StoreError.damagedVersion(name)
  }
}
