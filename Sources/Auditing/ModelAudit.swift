import Digests
import Glibc
import Manifests
import ModelStore
import SystemFiles
import Trust
import Verification

/// Audits one model of a store.
struct ModelAudit {
  /// How often a version is read that changes under the reader's eyes.
  private static let attempts = 3
  /// How often versions are looked for that came while others were read.
  private static let rounds = 4

  /// A version that was read, and what its records will say of it.
  fileprivate struct Read {
    let name: VersionName
    let manifest: VersionManifest
    let acceptedAt: Timestamp?
    let findings: [AuditFinding]
    let runtime: [AuditFinding]
    let files: [AuditedFile]
  }

  /// What reading a version once gave.
  private struct Look {
    let read: Read
    var outcome: VersionAudit.Outcome?
    /// Whether nobody touched it meanwhile.
    var isSteady = true
    /// What kept some of it from being looked at.
    var failure: (any Error)?
  }

  let name: ModelName
  let request: AuditRequest
  let plan: ReadingPlan
  let pace: AuditPace

  /// Reads the versions, then judges the records as they are at the end.
  ///
  /// What cannot be looked at is a failure of `progress`, and takes nothing from what was found elsewhere.
  func run(_ model: borrowing StoredModel, _ progress: inout AuditProgress) {
    let before = generation(of: model, &progress)
    var hasChanged = false
    let read = readVersions(of: model, &progress, &hasChanged)
    var isFailure = false
    var settled: ModelLook?
    do {
      settled = try settledLook(at: model)
    } catch {
      progress.fail(name, error)
      isFailure = true
    }
    guard let look = settled else {
      let versions = read.values
        .sorted { ($0.name.version, $0.name.text) < ($1.name.version, $1.name.text) }
        .map { version($0, nil, nil) }
      progress.models.append(
        AuditedModel(
          name: name,
          generation: before,
          findings: isFailure ? [] : [Self.unsettled],
          versions: versions
        )
      )
      return
    }
    if look.record == .damaged {
      progress.failures.append("\(name): the active record cannot be read")
    }
    let generation = look.record.record?.generation
    let judge = RecordJudgement(look)
    let versions = look.versions.compactMap { version in
      read[version.name].map { self.version($0, version, judge) }
    }
    hasChanged = hasChanged || generation != before || versions.count < read.count
    let note = AuditFinding(
      .changedDuringAudit,
      expected: before.map { "generation \($0)" },
      actual: generation.map { "generation \($0)" }
    )
    progress.models.append(
      AuditedModel(
        name: name,
        generation: generation,
        findings: judge.findings + (hasChanged ? [note] : []),
        versions: versions
      )
    )
  }

  /// Reads every version that is there, and those that come meanwhile.
  private func readVersions(
    of model: borrowing StoredModel,
    _ progress: inout AuditProgress,
    _ hasChanged: inout Bool
  ) -> [VersionName: Read] {
    var read: [VersionName: Read] = [:]
    var failed: Set<VersionName> = []
    for _ in 1...Self.rounds {
      let names = names(of: model, &progress)
        .filter { read[$0] == nil && !failed.contains($0) && !isBeforeCursor($0) }
      if names.isEmpty { break }
      for version in names {
        guard progress.cursor == nil else { return read }
        do {
          if let found = try audit(version, of: model, &progress) {
            read[version] = found
          } else {
            hasChanged = true
          }
        } catch {
          if (try? model.versionNames())?.contains(version) == false {
            hasChanged = true
          } else {
            failed.insert(version)
            progress.fail(name, error)
          }
        }
      }
      if progress.cursor != nil { break }
    }
    return read
  }

  private func names(
    of model: borrowing StoredModel,
    _ progress: inout AuditProgress
  ) -> [VersionName] {
    do {
      return try model.versionNames()
    } catch {
      progress.fail(name, error)
      return []
    }
  }

  private func generation(
    of model: borrowing StoredModel,
    _ progress: inout AuditProgress
  ) -> Int? {
    do {
      return try model.recordState().record?.generation
    } catch {
      progress.fail(name, error)
      return nil
    }
  }

  private static let unsettled = AuditFinding(
    .changedDuringAudit,
    severity: .warning,
    expected: "a moment without changes",
    actual: "none within the time of \(StoredModel.lookLimit) looks"
  )

  /// Puts together what was read and what the records say; without them, what was read.
  private func version(
    _ read: Read,
    _ stored: ModelStatus.StoredVersion?,
    _ judge: RecordJudgement?
  ) -> AuditedVersion {
    let role = judge?.role(of: read.name) ?? .other
    let ofRecords = stored.flatMap { judge?.findings(about: $0) } ?? []
    let judgement = read.manifest.judgement
    return AuditedVersion(
      version: read.name.version,
      folder: read.name.text,
      role: role,
      manifest: judgement.digest,
      isTrusted: judgement.isTrusted,
      signers: judgement.signers,
      released: judgement.release?.released,
      acceptedAt: read.acceptedAt,
      findings: read.manifest.findings + judgement.findings + read.findings
        + ofRecords + (role == .active ? read.runtime : []),
      files: read.files
    )
  }

  private func settledLook(at model: borrowing StoredModel) throws -> ModelLook? {
    try Self.settled(in: model, isClean: Self.isClean) { try $0.look() }
  }

  private static func isClean(_ look: ModelLook) -> Bool {
    let judge = RecordJudgement(look)
    return judge.findings.isEmpty
      && look.versions.allSatisfy { judge.findings(about: $0).isEmpty }
  }

  /// What a look gives while nobody is at work: in the middle of a change one thing contradicts another.
  ///
  /// A look that finds nothing is taken as it is. Nil if there was no such moment.
  private static func settled<Value: Equatable>(
    in model: borrowing StoredModel,
    isClean: (Value) -> Bool,
    _ look: (borrowing StoredModel) throws -> Value
  ) throws -> Value? {
    var last: Value?
    for _ in 1...StoredModel.lookLimit {
      let wasChanging = try model.isStateChanging()
      let found = try look(model)
      if isClean(found) { return found }
      if !wasChanging, found == last, try !model.isStateChanging() { return found }
      last = found
      usleep(StoredModel.lookPause)
    }
    return nil
  }

  private func isBeforeCursor(_ name: VersionName) -> Bool {
    guard let cursor = request.resume, cursor.model == self.name,
      let other = VersionName(cursor.version)
    else { return false }
    return (name.version, name.text) < (other.version, other.text)
  }

  // MARK: One version

  /// Reads a version; nil if it went away.
  private func audit(
    _ name: VersionName,
    of model: borrowing StoredModel,
    _ progress: inout AuditProgress
  ) throws -> Read? {
    for attempt in 1...Self.attempts {
      guard let place = try model.place(of: name) else { return nil }
      let found = try look(at: place, in: model)
      let isThere = try model.isThere(place)
      place.release()
      guard isThere else { continue }
      let isKnown = found.isSteady || found.outcome?.hasDamage != true
      // What went away while it was opened was moved by somebody.
      let isMoved = (found.failure as? SystemError)?.isNotFound == true
      if found.outcome?.stop == nil, !isKnown || isMoved, attempt < Self.attempts { continue }
      if let failure = found.failure { progress.fail(self.name, failure) }
      if let outcome = found.outcome { progress.add(outcome) }
      if let stop = found.outcome?.stop {
        // Of what changed under the eyes nothing is known: all of it is still to be read.
        progress.cursor = AuditCursor(
          model: self.name,
          version: name.text,
          file: isKnown ? stop.file : 0,
          chunk: isKnown ? stop.chunk : 0
        )
      }
      return isKnown ? found.read : found.read.changing
    }
    return nil
  }

  /// Reads a version once.
  private func look(
    at place: borrowing VersionPlace,
    in model: borrowing StoredModel
  ) throws -> Look {
    var failure: (any Error)?
    let acceptedAt = trace(of: place, at: [], in: model, &failure)?.acceptedAt
    let manifest = try VersionManifest(of: model, at: place, acceptedAt: acceptedAt, request)
    guard let release = manifest.judgement.release, let digest = manifest.judgement.digest else {
      let read = Read(
        name: place.name,
        manifest: manifest,
        acceptedAt: acceptedAt,
        findings: [
          AuditFinding(.notChecked, note: "without a manifest there is nothing to compare with")
        ],
        runtime: [],
        files: []
      )
      return Look(read: read, failure: failure)
    }
    let paths = release.files.map(\.path)
    let before = trace(of: place, at: paths, in: model, &failure)
    let outcome = try outcome(of: release, digest, at: place, in: model)
    failure = failure ?? outcome.failure
    let isSteady = trace(of: place, at: paths, in: model, &failure) == before
    let facts = facts(of: place, in: model, &failure)
    let findings = outcome.findings
    let read = Read(
      name: place.name,
      manifest: manifest,
      acceptedAt: acceptedAt,
      findings: findings.filter { $0.axis != .state } + facts,
      runtime: findings.filter { $0.axis == .state },
      files: outcome.files
    )
    return Look(read: read, outcome: outcome, isSteady: isSteady, failure: failure)
  }

  /// What the file system says now of files of a version; nil if it says nothing.
  private func trace(
    of place: borrowing VersionPlace,
    at paths: [RelativePath],
    in model: borrowing StoredModel,
    _ failure: inout (any Error)?
  ) -> VersionTrace? {
    do {
      return try model.trace(of: place, at: paths)
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  private func outcome(
    of release: Release,
    _ digest: SHA256Digest,
    at place: borrowing VersionPlace,
    in model: borrowing StoredModel
  ) throws -> VersionAudit.Outcome {
    let start = request.resume.flatMap { cursor in
      cursor.model == name && cursor.version == place.name.text
        ? (cursor.file, cursor.chunk) : nil
    }
    let audit = VersionAudit(
      release: release,
      digest: digest,
      plan: plan,
      request: request,
      standing: FileAudit.Standing(mode: model.publishedModes.file, owner: try model.owner()),
      pace: pace
    )
    switch place.files {
    case .some(let files):
      return audit.outcome(in: files, from: start ?? (0, 0), judgingRuntime: true)
    case .none:
      var outcome = VersionAudit.Outcome(ignored: request.ignore.map { _ in 0 })
      for entry in release.files {
        var draft = FileDraft(entry)
        try draft.add(.missing, of: entry)
        outcome.files.append(draft.file)
      }
      return outcome
    }
  }

  /// What is said of the folders of a version, which hold the manifest, the files and nothing else.
  private func facts(
    of place: borrowing VersionPlace,
    in model: borrowing StoredModel,
    _ failure: inout (any Error)?
  ) -> [AuditFinding] {
    do {
      let found = try Self.settled(in: model, isClean: { $0.isEmpty }) { model in
        try Self.folderFacts(of: place, in: model)
      }
      return found ?? [
        AuditFinding(.notChecked, note: "the folders of the version changed all the time")
      ]
    } catch {
      failure = failure ?? error
      return []
    }
  }
}

extension ModelAudit.Read {
  /// The same of a version that somebody changes again and again, so that nothing is known of its bytes.
  fileprivate var changing: ModelAudit.Read {
    ModelAudit.Read(
      name: name,
      manifest: manifest,
      acceptedAt: acceptedAt,
      findings: [
        AuditFinding(
          .changedDuringAudit,
          severity: .warning,
          expected: "files that nobody touches",
          actual: "files that changed while they were read, each of several times"
        )
      ],
      runtime: [],
      files: []
    )
  }
}
