import Manifests
import Trust

/// What lies in the folder of a model at one moment, as far as reconciling looks at it.
struct ModelSnapshot {
  var record: RecordState
  var floor: FloorState
  var versions: [VersionName]
  /// The names in each part of the model's folder; the folder itself is the empty part.
  var names: [String: [String]]
  /// The versions whose own manifests can be read and have no copy for backups.
  var uncopied: Set<VersionName>
  /// What has the name of a version's lease and is none.
  var oddLeases: Set<VersionName>
  /// The names of temporary files of the floor.
  var floorLeftovers: [String]
  var linkTarget: String?
  var wantsLink: Bool
  /// The candidates that may be touched; empty while another process installs.
  var candidates: [VersionName]
  /// The versions whose stamps can be read, belong to them and vouch for their bytes.
  var stamped: Set<VersionName>
  /// The versions whose folders can be written and must not be.
  var writable: Set<VersionName>
  /// What in the trash is to go now.
  var doomed: [String]
}

extension ModelSnapshot {
  /// What is to be done with it, in order; nothing for a model that is as it should be.
  ///
  /// Offline, and the same again changes nothing. Versions and candidates that may be wanted are never touched.
  var steps: [ReconcileStep] {
    var steps = leftovers.map(ReconcileStep.removeLeftover)
    let leases = Set(names[StoreLayout.leases] ?? [])
    for name in versions {
      if oddLeases.contains(name) {
        steps.append(.replaceLease(name))
      } else if !leases.contains(name.text) {
        steps.append(.makeLease(name))
      }
      if uncopied.contains(name) { steps.append(.keepManifest(name)) }
    }
    steps += versions.filter { stamped.contains($0) && writable.contains($0) }
      .map(ReconcileStep.closeFolder)
    for text in leases.sorted() {
      guard let name = VersionName(text), !versions.contains(name) else { continue }
      steps.append(.removeLease(name))
    }
    if let record = record.record { steps += stepsAfter(record) }
    steps += candidates.filter { versions.contains($0) && stamped.contains($0) }
      .map(ReconcileStep.removeCandidate)
    return steps + doomed.map(ReconcileStep.deleteTrash)
  }

  private func stepsAfter(_ record: ActiveRecord) -> [ReconcileStep] {
    var steps: [ReconcileStep] = []
    let target = StoredModel.linkTarget(of: record.active.name)
    if wantsLink, linkTarget != target { steps.append(.pointLink(record.active.name)) }
    if !wantsLink, (names[""] ?? []).contains(StoreLayout.currentLink) { steps.append(.removeLink) }
    guard let good = record.good, floor.isBehind(good, generation: record.generation) else {
      return steps
    }
    return steps + [.raiseFloor(good.version)]
  }

  /// Temporary files, and what belongs to versions that are gone.
  private var leftovers: [String] {
    let replaced = [
      StoreLayout.activeRecord, StoreLayout.currentLink, StoreLayout.badVersions, StoreLayout.pins,
    ]
    let temporary = (names[""] ?? []).filter { entry in
      replaced.contains { StoreLayout.isTemporary(entry, of: $0) }
    }
    let present = Set(versions.map { "\($0.text).json" })
    let recorded = [record.record?.active, record.record?.previous].compactMap { $0 }
      .map { "\($0.name.text).json" }
    let stamps = (names[StoreLayout.stamps] ?? []).filter { !present.contains($0) }
    // After a backup was restored, the manifests of versions without bytes are what they can be fetched by.
    let manifests = (names[StoreLayout.manifests] ?? [])
      .filter { !present.contains($0) && !recorded.contains($0) && record != .damaged }
    return temporary + stamps.map { "\(StoreLayout.stamps)/\($0)" }
      + manifests.map { "\(StoreLayout.manifests)/\($0)" } + floorLeftovers
  }
}

extension FloorState {
  /// Whether the floor does not say yet what follows from a good version.
  func isBehind(_ good: ActiveRecord.Entry, generation: Int) -> Bool {
    let raised = floor.raised(by: good.past)
    switch raised {
    case .none, .unreadable: return false
    case .at(let highest):
      let generation = max(generation, self.generation)
      return self != .good(Floor(highest: highest, generation: generation))
    }
  }
}
