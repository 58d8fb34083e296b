import Digests
package import Manifests
import StrictJSON
import SystemFiles

extension StoredModel {
  /// Reads which versions are marked bad.
  package func badVersions() throws -> MarksState<BadVersions> {
    try marks(StoreLayout.badVersions)
  }

  /// The mark of a version that is bad; nil if it is not.
  ///
  /// The one rule about marks: a list that cannot be read is not a list without marks. Throws `damagedMarks` then.
  package func badMark(of name: VersionName) throws -> BadVersions.Mark? {
    guard let bad = try badVersions().marks else {
      throw StoreError.damagedMarks(self.name, file: StoreLayout.badVersions)
    }
    return bad.mark(of: name)
  }

  /// Whether a version may become active without a person who names it; not while that cannot be told.
  package func mayActivateByItself(_ name: VersionName) throws -> Bool {
    do {
      return try badMark(of: name) == nil
    } catch StoreError.damagedMarks {
      return false
    }
  }

  /// Reads which versions are pinned.
  package func pinnedVersions() throws -> MarksState<PinnedVersions> {
    try marks(StoreLayout.pins)
  }

  /// Pins a version that is there, or lets go of it; says whether anything changed.
  package func setPin(_ isPinned: Bool, of name: VersionName) throws -> Bool {
    try withStateLock {
      if isPinned { try requirePresence(of: name) }
      guard var pins = try pinnedVersions().marks else {
        throw StoreError.damagedMarks(self.name, file: StoreLayout.pins)
      }
      let isChanged = isPinned ? pins.names.insert(name).inserted : pins.names.remove(name) != nil
      if isChanged { try write(pins, to: StoreLayout.pins) }
      return isChanged
    }
  }

  /// Marks a version bad, so that nothing activates it by itself; a later reason replaces an earlier one.
  package func markBad(_ name: VersionName, reason: String, now: Timestamp) throws {
    let manifest = try recordedManifest(of: name)
    try withStateLock {
      let old = try badMark(of: name)
      if let old, old.reason == reason { return }
      var bad = try badVersions().marks ?? BadVersions()
      let mark = BadVersions.Mark(name: name, manifest: manifest, reason: reason, markedAt: now)
      bad.marks.removeAll { $0.name == name }
      bad.marks.append(mark)
      try write(bad, to: StoreLayout.badVersions)
    }
  }

  /// Takes the mark from a version, for a caller who holds the state lock; a list that cannot be read stays as it is.
  func removeBadMark(of name: VersionName) throws {
    guard var bad = try badVersions().marks, bad.mark(of: name) != nil else { return }
    bad.marks.removeAll { $0.name == name }
    try write(bad, to: StoreLayout.badVersions)
  }

  /// Makes a version that is on trial a good one, and takes its mark from one that was bad.
  ///
  /// - Returns: The record that is now on disk.
  @discardableResult
  package func markGood(_ name: VersionName) throws -> RecordState {
    try withStateLock {
      if try badMark(of: name) != nil { try removeBadMark(of: name) }
      let state = try recordState()
      guard let record = state.record, record.active.name == name, record.triesLeft != nil else {
        return state
      }
      let good = record.changed(previous: record.previous, triesLeft: nil)
      // The floor first, as at an activation.
      try raiseFloor(by: good)
      try write(good)
      return .good(good)
    }
  }

  /// The names of the files of marks that cannot be read.
  package func damagedMarks() throws -> [String] {
    var files: [String] = []
    if try badVersions() == .damaged { files.append(StoreLayout.badVersions) }
    if try pinnedVersions() == .damaged { files.append(StoreLayout.pins) }
    return files
  }

  /// Removes them, so that people can mark versions again; returns their names.
  package func removeDamagedMarks() throws -> [String] {
    try withStateLock {
      let files = try damagedMarks()
      for file in files { try folder.removeTree(file) }
      if !files.isEmpty { try folder.sync() }
      return files
    }
  }

  private func recordedManifest(of name: VersionName) throws -> SHA256Digest {
    if let stamp = try stamp(of: name), name.belongs(to: stamp.manifest) { return stamp.manifest }
    if let record = try recordState().record {
      if record.active.name == name { return record.active.manifest }
      if let previous = record.previous, previous.name == name { return previous.manifest }
    }
    guard let digest = try? Envelope(parsing: manifest(of: name).envelope).payloadDigest,
      name.belongs(to: digest)
    else { throw StoreError.damagedVersion(name) }
    return digest
  }

  private func marks<Marks: SealedMarks>(_ file: String) throws -> MarksState<Marks> {
    guard let bytes = try folder.readRecord(file, limit: StoreLayout.recordLimit * 16) else {
      return .good(Marks())
    }
    guard let document = SealedDocument(bytes: bytes),
      let marks = try? Marks(JSONMembers<JSONShapeError>(document: .object(document.object)))
    else { return .damaged }
    return .good(marks)
  }

  private func write(_ marks: some SealedMarks, to file: String) throws {
    try folder.replaceRecord(
      file,
      with: SealedDocument(marks.object).bytes,
      mode: kind.stateFile
    )
  }
}
