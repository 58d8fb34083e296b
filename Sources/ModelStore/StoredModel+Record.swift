import Digests
import Manifests
import SystemFiles
package import Trust

/// What stands under the name of the active record.
package enum RecordState: Hashable, Sendable {
  case absent
  case good(ActiveRecord)
  /// There is something that is no record, which a power cut or a person may have left.
  case damaged

  package var record: ActiveRecord? {
    guard case .good(let record) = self else { return nil }
    return record
  }
}

extension StoredModel {
  /// Reads the active record.
  package func recordState() throws -> RecordState {
    let name = StoreLayout.activeRecord
    guard let bytes = try folder.readRecord(name, limit: StoreLayout.recordLimit) else {
      return .absent
    }
    return ActiveRecord(bytes: bytes, model: self.name).map(RecordState.good) ?? .damaged
  }

  /// Reads the active record; throws `nothingActive` or `damagedRecord` where there is none to read.
  package func activeRecord() throws -> ActiveRecord {
    switch try recordState() {
    case .good(let record): return record
    case .absent: throw StoreError.nothingActive(name)
    case .damaged: throw try damagedRecord()
    }
  }

  /// The error that the record cannot be read, with the versions to choose from.
  func damagedRecord() throws -> StoreError {
    StoreError.damagedRecord(name, choices: try versionNames())
  }

  /// What decides whether a version may become active: the floor, the active version and the way back.
  package func history() throws -> VersionHistory {
    let record = try recordState().record
    let floor = try floorState().floor
    return VersionHistory(
      floor: record?.good.map { floor.raised(by: $0.past) } ?? floor,
      active: record?.active.past,
      previous: record?.previous?.past
    )
  }

  /// The path of the downgrade floor if something is there that cannot be read.
  package func damagedFloor() throws -> String? {
    guard try floorState() == .damaged else { return nil }
    return "\(StoreLayout.floors)/\(floorName)"
  }

  func floorState() throws -> FloorState {
    let place = "\(StoreLayout.floors)/\(floorName)"
    guard let bytes = try store.readRecord(place, limit: StoreLayout.recordLimit) else {
      return .absent
    }
    return Floor(bytes: bytes).map(FloorState.good) ?? .damaged
  }

  /// Writes the floor that follows from `record`.
  ///
  /// It never falls, whatever stood there before, but from a version that is among the `withdrawn` ones; and a version on
  /// trial does not raise it. A damaged one stays as it is unless a person accepted what it might have refused: then a
  /// new one begins.
  func raiseFloor(
    by record: ActiveRecord,
    replacingDamaged: Bool = false,
    besides withdrawn: Set<SHA256Digest> = []
  ) throws {
    let old = try floorState()
    let isReplaced = replacingDamaged && old == .damaged
    let before = VersionHistory(
      floor: isReplaced ? .none : old.floor,
      active: record.good?.past,
      previous: record.previous?.past
    ).lowered(besides: withdrawn).floor
    let good = record.good?.past
    let raised = good.map { withdrawn.contains($0.manifest) ? before : before.raised(by: $0) }
    let highest: VersionHistory.Entry?
    switch raised ?? before {
    case .none: highest = nil
    case .at(let entry): highest = entry
    case .unreadable: return
    }
    try replaceFloor(old, by: Floor(highest: highest, generation: record.generation))
  }

  /// Makes the active version the floor, though a higher one was active and good before: a person says so.
  ///
  /// What cannot be read is replaced too. Throws `changedMeanwhile` unless the version is active and on no trial.
  package func lowerFloor(to version: VersionName) throws {
    try withStateLock {
      let record = try activeRecord()
      guard record.active.name == version, record.triesLeft == nil else {
        throw StoreError.changedMeanwhile(name)
      }
      let floor = Floor(highest: record.active.past, generation: record.generation)
      try replaceFloor(try floorState(), by: floor)
    }
  }

  private func replaceFloor(_ old: FloorState, by floor: Floor) throws {
    let new = Floor(
      highest: floor.highest,
      generation: max(floor.generation, old.generation)
    )
    guard old != .good(new) else { return }
    try store.openFolder(StoreLayout.floors)
      .replaceRecord(floorName, with: new.bytes, mode: kind.stateFile)
  }

  /// The name of the file of the floor.
  var floorName: String { "\(name.folderName).json" }
}

extension ActiveRecord {
  /// The version that was active and good last.
  var good: Entry? { triesLeft == nil ? active : previous }
}

extension ActiveRecord.Entry {
  /// The version as the rule about downgrades sees it.
  var past: VersionHistory.Entry {
    VersionHistory.Entry(version: version, manifest: manifest)
  }
}
