package import Manifests

/// A finding with the place that it is about.
package struct LocatedFinding: Hashable, Sendable {
  package let model: ModelName
  /// The version; nil for what is said of the model as a whole.
  package let version: Version?
  /// The folder of the version in the store.
  package let folder: String?
  /// The path of the file; nil for what is said of the version as a whole.
  package let file: String?
  package let finding: AuditFinding
}

extension AuditReport {
  /// All findings in the order of the report: a model, its versions, their files.
  package var findings: [LocatedFinding] {
    models.flatMap { model in
      model.findings.map {
        LocatedFinding(model: model.name, version: nil, folder: nil, file: nil, finding: $0)
      } + model.versions.flatMap { $0.findings(of: model.name) }
    }
  }

  package var counts: AuditCounts {
    var counts = AuditCounts()
    for model in models { counts.add(model) }
    return counts
  }
}

extension AuditedVersion {
  fileprivate func findings(of model: ModelName) -> [LocatedFinding] {
    func located(_ finding: AuditFinding, in file: String?) -> LocatedFinding {
      LocatedFinding(model: model, version: version, folder: folder, file: file, finding: finding)
    }
    return findings.map { located($0, in: nil) }
      + files.flatMap { file in file.findings.map { located($0, in: file.path) } }
  }
}

/// How much was looked at, and what came of it.
package struct AuditCounts: Hashable, Sendable {
  package private(set) var models = 0
  package private(set) var versions = 0
  /// The files of manifests, and those that are in none.
  package private(set) var files = 0
  package private(set) var chunksVerified = 0
  package private(set) var chunksWrong = 0
  package private(set) var chunksNotRead = 0
  /// The files by their words; every verdict of integrity is there, and each file counts once.
  package private(set) var filesByVerdict: [AuditVerdict: Int] = [:]
  /// The findings by their verdicts, of files, versions and models.
  package private(set) var findingsByVerdict: [AuditVerdict: Int] = [:]
  package private(set) var findingsBySeverity: [AuditSeverity: Int] = [:]

  package init() {}

  mutating func add(_ model: AuditedModel) {
    models += 1
    add(model.findings)
    for version in model.versions { add(version) }
  }

  private mutating func add(_ version: AuditedVersion) {
    versions += 1
    add(version.findings)
    for file in version.files {
      files += 1
      filesByVerdict[file.verdict, default: 0] += 1
      for state in file.chunks {
        switch state {
        case .verified: chunksVerified += 1
        case .wrong: chunksWrong += 1
        case .notRead: chunksNotRead += 1
        }
      }
      add(file.findings)
    }
  }

  private mutating func add(_ findings: [AuditFinding]) {
    for finding in findings {
      findingsByVerdict[finding.verdict, default: 0] += 1
      findingsBySeverity[finding.severity, default: 0] += 1
    }
  }

  /// The findings that make an audit end with 10.
  package var findings: Int {
    findingsBySeverity.reduce(0) { $1.key > .note ? $0 + $1.value : $0 }
  }
}
