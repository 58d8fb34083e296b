import Digests
package import Manifests
import SystemFiles
import Trust

extension StoredModel {
  /// Makes a verified version the active one; success means that a power cut can no longer undo it.
  ///
  /// The rule about downgrades is applied under the state lock, to what the store says at that moment; versions that the
  /// repository of the model has withdrawn are no floor, and no way back while a good one is known. A person who activates a
  /// version that was marked bad takes the mark from it.
  /// - Parameters:
  ///   - version: The version; its kind is the proof that it was verified.
  ///   - now: The time that the record tells people.
  ///   - activation: Why it becomes active.
  /// - Returns: The record that is now on disk.
  /// - Throws: `TrustError`, ``StoreError`` or `SystemError`; then the old version is still active, unless
  ///   a system call fails after the new record is durable, while `current` follows.
  @discardableResult
  package func activate(
    _ version: VerifiedVersion,
    now: Timestamp,
    as activation: Activation
  ) throws -> ActiveRecord {
    try withStateLock {
      if let expected = activation.expected {
        try requireReturn(to: version.name, from: expected)
      }
      let withdrawn = version.accepted.withdrawn
      try history().lowered(besides: withdrawn)
        .check(version.entry.past, consent: activation.consent)
      try requirePresence(of: version.name)
      try clearPlaceOfLink()
      try removeTemporaryFiles()
      let old = try recordState()
      if let record = old.record { try raiseFloor(by: record, besides: withdrawn) }
      let record =
        if let record = old.record, record.active == version.entry,
          record.triesLeft == nil || activation.trial != nil
        {
          record
        } else {
          try nextRecord(
            for: version.entry,
            after: old,
            besides: withdrawn,
            now: now,
            as: activation
          )
        }
      // The floor first: were it behind the record, a later change of the record would forget the highest version.
      try raiseFloor(
        by: record,
        replacingDamaged: activation.replacesDamagedFloor,
        besides: withdrawn
      )
      if record != old.record { try write(record) }
      try pointCurrentLink(to: record)
      try removeBadMark(of: version.name)
      return record
    }
  }

  /// Throws unless this version is still active, and the other one may return by itself.
  private func requireReturn(to version: VersionName, from expected: ActiveRecord.Entry) throws {
    guard try recordState().record?.active == expected else {
      throw StoreError.changedMeanwhile(name)
    }
    if let mark = try badMark(of: version) {
      throw StoreError.markedBad(name, version.version, reason: mark.reason)
    }
  }

  /// The record that names `entry`; writing it is the one step that makes the version active.
  private func nextRecord(
    for entry: ActiveRecord.Entry,
    after old: RecordState,
    besides withdrawn: Set<SHA256Digest>,
    now: Timestamp,
    as activation: Activation
  ) throws -> ActiveRecord {
    let wayBack: ActiveRecord.Entry? =
      if !activation.keepsWayBack {
        nil
      } else if let record = old.record {
        record.wayBack(to: entry, besides: withdrawn)
      } else {
        try linkedEntry(besides: entry)
      }
    // The policy refuses a withdrawn one when the trial fails.
    if activation.trial != nil {
      guard let wayBack, !withdrawn.contains(wayBack.manifest) else {
        throw StoreError.noFallback(name)
      }
    }
    return ActiveRecord(
      model: name,
      generation: 1 + max(old.record?.generation ?? 0, try floorState().generation),
      active: entry,
      previous: wayBack,
      activatedAt: now,
      triesLeft: activation.trial,
      otherMembers: old.record?.otherMembers ?? Array("{}".utf8)
    )
  }

  func write(_ record: ActiveRecord) throws {
    try folder.replaceRecord(
      StoreLayout.activeRecord,
      with: record.bytes,
      mode: kind.stateFile
    )
  }

  /// Throws `noSuchVersion` if the version was removed since it was verified.
  func requirePresence(of version: VersionName) throws {
    guard try versionNames().contains(version) else {
      throw StoreError.noSuchVersion(name, version.version)
    }
  }

  /// Moves a folder to the trash that stands in the place of the link, as copies that follow links make one.
  ///
  /// It holds nothing that is not elsewhere, and no link can replace it. Before the commit, so that nothing fails after.
  func clearPlaceOfLink() throws {
    guard let status = try folder.status(of: StoreLayout.currentLink), status.kind == .folder
    else { return }
    let doomed = "\(StoreLayout.currentLink).\(randomName())"
    let trash = try folder.openFolder(StoreLayout.trash)
    if status.mode & 0o200 == 0 {
      try folder.openFolder(StoreLayout.currentLink).setMode(kind.workFolder)
    }
    if try folder.renameIfMovable(StoreLayout.currentLink, to: trash, doomed) {
      // What cannot be deleted now is tried again.
      try? trash.removeTree(doomed)
    } else {
      try folder.removeTree(StoreLayout.currentLink)
    }
    try folder.sync()
  }

  /// Makes `current` name the files of the active version, or takes it away where nobody wants links.
  func pointCurrentLink(to record: ActiveRecord) throws {
    try clearPlaceOfLink()
    guard options.hasLink else {
      guard try folder.status(of: StoreLayout.currentLink) != nil else { return }
      try folder.removeFile(StoreLayout.currentLink)
      return try folder.sync()
    }
    let target = Self.linkTarget(of: record.active.name)
    guard try folder.linkTarget(StoreLayout.currentLink) != target else { return }
    try folder.replaceLink(StoreLayout.currentLink, target: target)
    try folder.sync()
  }

  static func linkTarget(of name: VersionName) -> String {
    "\(StoreLayout.versions)/\(name.text)/\(StoreLayout.files)"
  }

  /// The version that `current` names; nil if it names none that is there.
  package func linkedName() throws -> VersionName? {
    guard let target = try folder.linkTarget(StoreLayout.currentLink) else { return nil }
    return try versionNames().first { Self.linkTarget(of: $0) == target }
  }

  /// The version that `current` names, as the way back where the record itself is damaged.
  private func linkedEntry(
    besides active: ActiveRecord.Entry
  ) throws -> ActiveRecord.Entry? {
    guard let name = try linkedName(), name != active.name, let stamp = try stamp(of: name),
      name.belongs(to: stamp.manifest)
    else { return nil }
    return ActiveRecord.Entry(name: name, manifest: stamp.manifest)
  }
}

extension ActiveRecord {
  /// The way back for the version that becomes active next.
  ///
  /// A version that was on trial when another one took its place never was good: the way leads past it. So it does past
  /// one that is withdrawn, where the one before it is there and is not.
  fileprivate func wayBack(to next: Entry, besides withdrawn: Set<SHA256Digest>) -> Entry? {
    if active == next { return previous }
    let last = triesLeft != nil && next != previous ? previous : active
    guard let last, withdrawn.contains(last.manifest), let previous, previous != next,
      !withdrawn.contains(previous.manifest)
    else { return last }
    return previous
  }
}
