import Digests
import Manifests
import ModelStore
import SystemFiles

/// The manifest by which a version in a store is judged, and what is said of it.
struct VersionManifest {
  let judgement: ManifestJudgement
  /// What is wrong with the copies in the store, besides the judgement.
  let findings: [AuditFinding]

  /// Takes the auditor's own manifest if there are such, or else the one that lies with the version; the copy for
  /// backups stands in for one that is lost.
  /// - Throws: What says nothing of the store's own copy, such as that there are too many open files.
  init(
    of model: borrowing StoredModel,
    at place: borrowing VersionPlace,
    acceptedAt: Timestamp?,
    _ request: AuditRequest
  ) throws {
    let name = place.name
    func judge(_ bytes: [UInt8]) -> ManifestJudgement {
      ManifestJudgement(bytes, by: request.policy, acceptedAt: acceptedAt, at: request.judgedAt)
    }
    do {
      if let manifests = request.manifests {
        guard let bytes = try manifests(model.name, name.version) else {
          self.init(
            lacking: AuditFinding(
              .manifestInvalid,
              expected: "a manifest of \(name.version) among the auditor's own",
              actual: "none"
            )
          )
          return
        }
        let judgement = judge(bytes)
        self.init(
          judgement: judgement,
          findings: judgement.belongs(to: name, of: model.name)
            ? [] : [.otherManifest(name, judgement)]
        )
        return
      }
      let (own, copy) = try model.envelopes(of: place)
      let judgements = [own, copy].map { $0.map(judge) }
      guard
        let found = judgements.compactMap({ $0 }).first(where: {
          $0.belongs(to: name, of: model.name)
        })
      else {
        let first = judgements.compactMap { $0 }.first
        self.init(
          lacking: first?.digest == nil
            ? AuditFinding(
              .manifestInvalid,
              expected: "the manifest of \(name.text)",
              actual: own == nil ? "none" : "something else"
            ) : .otherManifest(name, first)
        )
        return
      }
      let isOwn = judgements[0]?.belongs(to: name, of: model.name) ?? false
      self.init(
        judgement: found,
        findings: isOwn
          ? []
          : [
            AuditFinding(
              .manifestInvalid,
              expected: "the manifest of \(name.text) beside its files",
              actual: own == nil ? "none" : "another",
              note: "the copy for backups was taken instead"
            )
          ]
      )
    } catch {
      guard let error = error as? SystemError, error.isAboutFile, request.manifests == nil else {
        throw error
      }
      self.init(
        lacking: AuditFinding(
          .manifestInvalid,
          expected: "the manifest of \(name.text)",
          actual: error.reason
        )
      )
    }
  }

  private init(lacking finding: AuditFinding) {
    self.init(judgement: ManifestJudgement(lacking: finding), findings: [])
  }

  private init(judgement: ManifestJudgement, findings: [AuditFinding]) {
    self.judgement = judgement
    self.findings = findings
  }
}

extension ManifestJudgement {
  /// Whether it is the manifest from which the version with this name was installed.
  fileprivate func belongs(to name: VersionName, of model: ModelName) -> Bool {
    guard let digest, let release, release.model == model else { return false }
    return VersionName(version: release.version, manifest: digest) == name
  }
}

extension AuditFinding {
  fileprivate static func otherManifest(
    _ name: VersionName,
    _ found: ManifestJudgement?
  ) -> AuditFinding {
    AuditFinding(
      .manifestInvalid,
      expected: "the manifest of \(name.text)",
      actual: found?.digest.map { "that with the digest \($0.hex)" }
    )
  }
}
