import Digests
import Manifests
import ModelStore
import Trust

/// What the records of a model say against each other and against what lies on disk: a pure value.
struct RecordJudgement: Equatable {
  private let look: ModelLook

  init(_ look: ModelLook) { self.look = look }

  private var record: ActiveRecord? { look.record.record }

  /// The findings about the model as a whole.
  var findings: [AuditFinding] {
    damaged + odd + pointers + floor
  }

  /// What the record says of a version.
  func role(of name: VersionName) -> AuditedVersion.Role {
    if record?.active.name == name { return .active }
    return record?.previous?.name == name ? .previous : .other
  }

  /// The findings about one version.
  func findings(about version: ModelStatus.StoredVersion) -> [AuditFinding] {
    var findings: [AuditFinding] = []
    if role(of: version.name) == .active, let mark = look.bad.marks?.mark(of: version.name) {
      findings.append(AuditFinding(.markedBad, note: "reason: \(mark.reason)"))
    }
    switch version.proof {
    case .stamped: break
    case .unproven:
      findings.append(
        AuditFinding(
          .unregisteredVersion,
          expected: "a stamp of the files",
          actual: "none that fits"
        )
      )
    case .damaged:
      findings.append(
        AuditFinding(
          .stampMismatch,
          expected: "a stamp of files that are right",
          actual: "one that says that they were wrong when they were read last"
        )
      )
    case .changed(let file):
      findings.append(
        AuditFinding(
          .stampMismatch,
          expected: "the inode, size and times that were stamped",
          actual: "others, of \(file) first"
        )
      )
    case .changedFolder(let folder):
      findings.append(
        AuditFinding(
          .stampMismatch,
          expected: "the entries and mode that were stamped",
          actual: "others, of the folder \(folder)"
        )
      )
    }
    return findings
  }

  private var damaged: [AuditFinding] {
    var files: [String] = []
    if look.record == .damaged { files.append("active.json") }
    if look.floor == .unreadable { files.append("the floor") }
    if look.bad == .damaged { files.append("bad.json") }
    if look.pins == .damaged { files.append("pins.json") }
    return files.map {
      AuditFinding(.recordDamaged, expected: "a record with its digest", actual: "\($0) is none")
    }
  }

  private var odd: [AuditFinding] {
    look.oddVersions.map {
      AuditFinding(.extra, expected: "folders of versions", actual: "versions/\($0)")
    }
  }

  private var pointers: [AuditFinding] {
    guard let record else {
      guard look.record == .absent, let link = look.link else { return [] }
      return [
        AuditFinding(
          .recordMismatch,
          expected: "an active record for current",
          actual: "none, and current leads to \(link)"
        )
      ]
    }
    var findings: [AuditFinding] = []
    if !look.versions.contains(where: { $0.name == record.active.name }) {
      findings.append(
        AuditFinding(
          .recordMismatch,
          expected: "the active version \(record.active.name.text)",
          actual: "no such folder"
        )
      )
    }
    if look.link != look.wantedLink {
      findings.append(
        AuditFinding(
          .recordMismatch,
          expected: "current -> \(look.wantedLink ?? "nothing")",
          actual: look.link.map { "current -> \($0)" } ?? "no current"
        )
      )
    }
    if record.generation < look.floorGeneration {
      findings.append(
        AuditFinding(
          .recordMismatch,
          expected: "generation \(look.floorGeneration) or later, as the floor says",
          actual: "generation \(record.generation): an older record"
        )
      )
    }
    return findings
  }

  private var floor: [AuditFinding] {
    guard let record, case .at(let floor) = look.floor else {
      return look.isFloorBehind ? [floorBehind] : []
    }
    if look.isFloorBehind { return [floorBehind] }
    let active = record.active
    let isOther = active.version == floor.version && active.manifest != floor.manifest
    guard active.version < floor.version || isOther else { return [] }
    return [
      AuditFinding(
        .belowFloor,
        severity: isExplained(floor) ? .note : .warning,
        expected: "\(floor.version) or higher, of manifest \(floor.manifest.hex)",
        actual: "\(active.version) of manifest \(active.manifest.hex)",
        note: isExplained(floor) ? "somebody went back from \(floor.version), or it failed" : nil
      )
    ]
  }

  private var floorBehind: AuditFinding {
    AuditFinding(
      .recordMismatch,
      expected: "a floor that knows the active version",
      actual: "one that does not"
    )
  }

  /// Whether the records themselves say how the active version came to be below the floor.
  private func isExplained(_ floor: VersionHistory.Entry) -> Bool {
    guard let record else { return false }
    if record.previous?.manifest == floor.manifest { return true }
    return look.bad.marks?.marks.contains { $0.manifest == floor.manifest } ?? false
  }
}
