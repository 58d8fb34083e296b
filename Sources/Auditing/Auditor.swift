import Digests
package import Manifests
package import ModelStore
package import SystemFiles
import Trust
import Verification

/// Compares what is installed with what was signed.
///
/// Writes nothing and takes no lock. A version is leased while it is read, if there is a lease to hold; what another
/// process changes meanwhile is looked at again, and never told as damage.
package struct Auditor: Sendable {
  let request: AuditRequest
  let pace: AuditPace

  package init(_ request: AuditRequest, pace: AuditPace) {
    self.request = request
    self.pace = pace
  }

  /// Audits models of a store, one after the other, in the order of their names.
  ///
  /// What is wrong in the folder of one model stops no other. Blocks the calling thread.
  /// - Throws: `SystemError` or `StoreError` for what keeps the store itself from being read.
  package func audit(_ store: borrowing Store, _ names: [ModelName]) throws -> AuditResult {
    var progress = AuditProgress(request)
    for place in try store.oddEntries() {
      progress.failures.append("\(place) is not the folder of a model")
    }
    // The plan is that of the whole audit, so that one that goes on reads what the first one would have read.
    let plan = ReadingPlan(request.mode, of: plannedReleases(of: names.sorted(), in: store))
    let names = names.sorted().drop { name in request.resume.map { name < $0.model } ?? false }
    for name in names {
      guard progress.cursor == nil else { break }
      do {
        let model = try store.model(name)
        ModelAudit(name: name, request: request, plan: plan, pace: pace)
          .run(model, &progress)
      } catch StoreError.noSuchModel {
        progress.changed.append(name)
      } catch {
        progress.fail(name, error)
      }
    }
    return progress.result(pace)
  }

  /// Audits a folder that lies in no store, by a manifest.
  ///
  /// What cannot be looked at is a failure of the result, which keeps what was found.
  /// - Throws: A `ManifestError` if the manifest cannot be read at all.
  package func audit(_ folder: borrowing Folder, manifest: [UInt8]) throws -> AuditResult {
    let judgement = ManifestJudgement(
      manifest,
      by: request.policy,
      acceptedAt: nil,
      at: request.judgedAt
    )
    guard let release = judgement.release, let digest = judgement.digest else {
      _ = try Envelope(parsing: manifest).release()
      preconditionFailure("a manifest that can be read has been read")
    }
    var progress = AuditProgress(request)
    let audit = VersionAudit(
      release: release,
      digest: digest,
      plan: ReadingPlan(request.mode, of: [(digest, release)]),
      request: request,
      standing: nil,
      pace: pace
    )
    let start = request.resume.flatMap { cursor in
      cursor.model == release.model && cursor.version == release.version.text
        ? (cursor.file, cursor.chunk) : nil
    }
    let outcome = audit.outcome(in: folder, from: start ?? (0, 0), judgingRuntime: true)
    progress.add(outcome)
    if let failure = outcome.failure { progress.fail(release.model, failure) }
    if let stop = outcome.stop {
      progress.cursor = AuditCursor(
        model: release.model,
        version: release.version.text,
        file: stop.file,
        chunk: stop.chunk
      )
    }
    let version = AuditedVersion(
      version: release.version,
      folder: nil,
      role: .folder,
      manifest: digest,
      isTrusted: judgement.isTrusted,
      signers: judgement.signers,
      released: release.released,
      findings: judgement.findings + outcome.findings,
      files: outcome.files
    )
    progress.models.append(
      AuditedModel(name: release.model, generation: nil, versions: [version])
    )
    return progress.result(pace)
  }

  /// The releases of which a sample takes its share; none for other modes, which need no plan.
  ///
  /// A model that cannot be looked at has no share: its own audit says why.
  private func plannedReleases(
    of names: [ModelName],
    in store: borrowing Store
  ) -> [(digest: SHA256Digest, release: Release)] {
    guard case .sample(let sample) = request.mode, case .bytes = sample.amount else { return [] }
    var releases: [(digest: SHA256Digest, release: Release)] = []
    for name in names {
      do {
        let model = try store.model(name)
        for version in try model.versionNames() {
          if let planned = try plannedRelease(of: version, in: model) { releases.append(planned) }
        }
      } catch {
        continue
      }
    }
    return releases
  }

  private func plannedRelease(
    of version: VersionName,
    in model: borrowing StoredModel
  ) throws -> (digest: SHA256Digest, release: Release)? {
    guard let place = try model.place(of: version) else { return nil }
    let judgement = try VersionManifest(of: model, at: place, acceptedAt: nil, request).judgement
    place.release()
    guard let release = judgement.release, let digest = judgement.digest else { return nil }
    return (digest, release)
  }
}

/// What an audit has found so far.
struct AuditProgress {
  private let request: AuditRequest
  private var ignored: [Int]
  var models: [AuditedModel] = []
  var failures: [String] = []
  /// The models that went away while they were to be looked at.
  var changed: [ModelName] = []
  var cursor: AuditCursor?

  init(_ request: AuditRequest) {
    self.request = request
    ignored = request.ignore.map { _ in 0 }
  }

  mutating func add(_ outcome: VersionAudit.Outcome) {
    for (index, count) in outcome.ignored.enumerated() { ignored[index] += count }
  }

  /// Notes what kept something of a model from being looked at, once.
  mutating func fail(_ name: ModelName, _ error: any Error) {
    let reason =
      (error as? SystemError).map { "\($0.subject ?? $0.call): \($0.reason)" } ?? "\(error)"
    let failure = "\(name): \(reason)"
    if !failures.contains(failure) { failures.append(failure) }
  }

  func result(_ pace: AuditPace) -> AuditResult {
    var result = AuditResult()
    result.models = models
    result.ignored = zip(request.ignore, ignored).map { rule, count in
      AuditReport.Ignored(
        pattern: rule.pattern.text,
        until: rule.until,
        hasEnded: rule.until.map { $0 <= request.judgedAt } ?? false,
        count: count
      )
    }
    if let cursor {
      result.unfinished = .init(pace.reason ?? .interrupted, failures: failures, cursor: cursor)
    } else if !failures.isEmpty {
      result.unfinished = .init(.failure, failures: failures)
    }
    return result
  }
}
