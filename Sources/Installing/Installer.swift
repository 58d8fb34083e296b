import Digests
package import Manifests
package import ModelStore
import SystemFiles
import Transfers
import Trust
import Verification

/// Brings releases into a store: fetches, verifies as they lie on disk, commits, activates.
package struct Installer: Sendable {
  /// How often files that are wrong on disk after a fetch are fetched in all.
  private static let rounds = 2

  let request: InstallRequest
  let now: Timestamp
  let report: CandidateReport

  /// - Parameters:
  ///   - request: What to install and how.
  ///   - now: The time for the record and, at first acceptance, for the stamp.
  ///   - report: Called with each event, on any thread.
  package init(
    _ request: InstallRequest,
    now: Timestamp,
    report: @escaping @Sendable (InstallEvent) -> Void
  ) {
    self.request = request
    self.now = now
    self.report = CandidateReport(total: request.accepted.release.size, report: report)
  }

  var release: Release { request.accepted.release }

  /// Installs the release, going on with what an interrupted run has left.
  ///
  /// Nothing is fetched for a release that could not become active, or that is there already. Hashing and
  /// disk work block the calling thread. Whatever is thrown before the commit, the version that was active is still
  /// active; clearing up after the commit may fail with the new version active.
  /// - Throws: ``InstallError``, `TrustError`, `StoreError`, `FetchError`, `SystemError` or `CancellationError`.
  package func install(into store: borrowing Store) async throws -> InstallOutcome {
    if request.activates { try release.requireRuntime(request.runtimes) }
    if !request.allowsCode { try release.requireNoCode() }
    let model = try store.modelForChanging(release.model)
    if request.activates { try checkDowngrade(in: model) }
    let name = VersionName(version: release.version, manifest: request.accepted.digest)
    let lock = try await model.takeInstallTurn(of: name, request.waiting) { report($0) }
    // From here on nothing collects the version, not even between its publication and its activation.
    let lease = try model.lease(name)
    try model.reconcile(holding: lock, now: now)
    if try model.restoreFromTrash(name) { report(.returned(name)) }
    let (version, fetched) = try await verifiedVersion(in: model, holding: lock)
    guard request.activates else {
      return InstallOutcome(
        name: version.name,
        filesPath: model.filesPath(of: version.name),
        record: nil,
        report: fetched
      )
    }
    let record = try model.activate(version, now: now, as: .named(consent: request.consent))
    report(.activated(record))
    lease.release()
    if request.collects { try collect(in: store) }
    lock.release()
    return InstallOutcome(
      name: version.name,
      filesPath: model.filesPath(of: version.name),
      record: record,
      report: fetched
    )
  }

  private func collect(in store: borrowing Store) throws {
    var options = CollectionOptions()
    options.withdrawn[release.model] = request.accepted.withdrawn
    let items = try store.collect([release.model], options, now: now)
    let gone = items.filter { $0.kind == .version && $0.keptFor == nil }
    if !gone.isEmpty { report(.collected(gone)) }
  }

  /// Asks before the download what the store asks again at the commit.
  func checkDowngrade(in model: borrowing StoredModel) throws {
    let candidate = VersionHistory.Entry(
      version: release.version,
      manifest: request.accepted.digest
    )
    try model.history().lowered(besides: request.accepted.withdrawn)
      .check(candidate, consent: request.consent)
  }

  private func verifiedVersion(
    in model: borrowing StoredModel,
    holding lock: borrowing InstallLock
  ) async throws -> (VerifiedVersion, FetchReport?) {
    let check = try await StopFlag.withFlag { stop in
      try model.check(request.accepted, now: now) { _ in !stop.isRaised }
    }
    switch check {
    case .verified(let version):
      // An install that was killed after it had published has left what it fetched into.
      try model.removeCandidate(version.name, holding: lock)
      try require(try model.structure(of: version))
      report(.alreadyInstalled(version.name))
      return (version, nil)
    case .damaged(let name, let findings):
      try model.noteDamage(of: name)
      report(.replacesDamaged(name, findings))
    case .absent:
      break
    }
    var candidate = try model.candidate(for: request.accepted, holding: lock)
    let fetched = try await complete(noting: &candidate, in: model)
    try require(try candidate.structure())
    let version = try await published(candidate, in: model)
    report(.published(version.name))
    return (version, fetched)
  }

  /// Publishes the candidate, or takes the same version as another process has published it, where no lock kept that
  /// process out.
  private func published(
    _ candidate: borrowing Candidate,
    in model: borrowing StoredModel
  ) async throws -> VerifiedVersion {
    do {
      return try model.publish(candidate, acceptedAt: now)
    } catch {
      guard !model.keepsOthersOut else { throw error }
      let check = try await StopFlag.withFlag { stop in
        try model.check(request.accepted, now: now) { _ in !stop.isRaised }
      }
      guard case .verified(let version) = check else { throw error }
      try model.removeRest(of: candidate)
      return version
    }
  }

  /// Refuses files that do not belong together, and a runtime that is too old for the bytes.
  private func require(_ structure: StructureCheck.Outcome) throws {
    guard structure.findings.isEmpty else {
      throw InstallError.unusable(release.model, release.version, structure.findings)
    }
    guard request.activates else { return }
    try release.requireRuntime(request.runtimes, derived: structure.needs)
  }

  /// Completes the candidate, and writes down for others how far it is and how it ended.
  func complete(
    noting candidate: inout Candidate,
    in model: borrowing StoredModel
  ) async throws -> FetchReport? {
    report.follow(try candidate.progressNote())
    defer { report.follow(nil) }
    do {
      return try await complete(&candidate, in: model)
    } catch {
      // The error itself matters more than a note of it, for which there may be no room.
      if let failure = Journal.Failure(error) { try? candidate.note(.failed, failure: failure) }
      throw error
    }
  }

  /// Fetches what is missing and verifies all of it on disk, in as many rounds as are allowed.
  private func complete(
    _ candidate: inout Candidate,
    in model: borrowing StoredModel
  ) async throws -> FetchReport? {
    var fetched: FetchReport?
    var findings: [FileFinding] = []
    for _ in 1...Self.rounds {
      for finding in findings { report(.refetching(finding)) }
      let news = try await fetchMissing(of: candidate, in: model)
      fetched = news ?? fetched
      findings = try await seal(&candidate, readBack: news?.readBack ?? [:])
      if findings.isEmpty { return fetched }
      let faults = findings.filter(\.isPublishersFault)
      guard faults.isEmpty else {
        throw InstallError.unusable(release.model, release.version, faults)
      }
    }
    throw InstallError.damagedOnDisk(model.path(of: candidate), findings)
  }

  private func seal(
    _ candidate: inout Candidate,
    readBack: [String: ReadBack]
  ) async throws -> [FileFinding] {
    try candidate.note(.verify)
    let stop = StopFlag()
    let total = candidate.indices.reduce(0) { $0 + release.files[$1].size }
    let progress = VerifyingProgress(total: total) { report($0) }
    return try await withTaskCancellationHandler {
      let problems = try candidate.seal(
        candidate.indices,
        depth: request.depth,
        readBack: readBack
      ) { count in
        progress.add(count)
        return !stop.isRaised
      }
      return problems.map {
        FileFinding(path: release.files[$0.index].path.text, problem: $0.problem)
      }
    } onCancel: {
      stop.raise()
    }
  }
}
