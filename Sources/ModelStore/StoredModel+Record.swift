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
    guard let bytes = try folder.readFile(name, limit: StoreLayout.recordLimit) else {
      return .absent
    }
    return ActiveRecord(bytes: bytes, model: self.name).map(RecordState.good) ?? .damaged
  }

  /// Reads the active record; throws `nothingActive` or `damagedRecord` where there is none to read.
  package func activeRecord() throws -> ActiveRecord {
    switch try recordState() {
    case .good(let record): return record
    case .absent: throw StoreError.nothingActive(name)
    case .damaged: throw StoreError.damagedRecord(name)
    }
  }

  /// What decides whether a version may become active: the floor and the way back.
  package func history() throws -> VersionHistory {
    VersionHistory(
      floor: try floor()?.highest,
      previous: try recordState().record?.previous.map {
        VersionHistory.Entry(version: $0.version, manifest: $0.manifest)
      }
    )
  }

  func floor() throws -> Floor? {
    let place = "\(StoreLayout.floors)/\(floorName)"
    guard let bytes = try store.readFile(place, limit: StoreLayout.recordLimit) else { return nil }
    return Floor(bytes: bytes)
  }

  /// Writes the floor that follows from `record`.
  ///
  /// It never falls, whatever stood there before.
  func raiseFloor(by record: ActiveRecord) throws {
    let old = try floor()
    let active = VersionHistory.Entry(
      version: record.active.version,
      manifest: record.active.manifest
    )
    let new = Floor(
      highest: VersionHistory(floor: old?.highest, previous: nil).raisedFloor(by: active),
      generation: max(record.generation, old?.generation ?? 0)
    )
    guard new != old else { return }
    try store.openFolder(StoreLayout.floors)
      .replaceFile(floorName, with: new.bytes, mode: StoreLayout.privateFile)
  }

  private var floorName: String { "\(name.folderName).json" }
}
