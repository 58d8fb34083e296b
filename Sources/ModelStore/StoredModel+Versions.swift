package import Manifests
import SystemFiles

extension StoredModel {
  /// The names of all versions that are there whole, by precedence.
  package func versionNames() throws -> [VersionName] {
    guard try folder.status(of: StoreLayout.versions) != nil else { return [] }
    return try folder.openFolder(StoreLayout.versions).entries()
      .filter { $0.kind == .folder }
      .compactMap { VersionName($0.name) }
      .sorted { ($0.version, $0.text) < ($1.version, $1.text) }
  }

  /// The one version of this number; throws `noSuchVersion` or `ambiguousVersion`.
  package func versionName(_ version: Version) throws -> VersionName {
    let names = try versionNames().filter { $0.version == version }
    guard let name = names.first else { throw StoreError.noSuchVersion(self.name, version) }
    guard names.count == 1 else { throw StoreError.ambiguousVersion(self.name, names) }
    return name
  }

  /// The envelope of a version, byte for byte as it was accepted, and when it was accepted first.
  ///
  /// The time is nil where the stamp is lost. Throws `damagedVersion` if there is none, and
  /// `noSuchVersion` if the version is gone.
  package func manifest(
    of name: VersionName
  ) throws -> (envelope: [UInt8], acceptedAt: Timestamp?) {
    let place = "\(StoreLayout.versions)/\(name.text)/\(StoreLayout.manifest)"
    let found = try folder.readFile(place, limit: Envelope.maximumSize)
    guard let envelope = try found ?? keptManifest(of: name) else {
      // It may have been collected since its name was read.
      guard try versionNames().contains(name) else {
        throw StoreError.noSuchVersion(self.name, name.version)
      }
      throw StoreError.damagedVersion(name)
    }
    return (envelope, try stamp(of: name)?.acceptedAt)
  }

  /// The versions whose manifests are kept although their bytes are not here, as after a backup was restored.
  package func manifestsWithoutBytes() throws -> [VersionName] {
    let present = Set(try versionNames())
    return try folder.entriesOfPart(StoreLayout.manifests)
      .filter { $0.kind == .file && $0.name.utf8.suffix(5).elementsEqual(".json".utf8) }
      .compactMap { VersionName(String($0.name.dropLast(5))) }
      .filter { !present.contains($0) }
  }

  /// The active version, which was there after the record was read that names it.
  ///
  /// A version that another process collects meanwhile is no longer the active one, so the record is read again. Throws
  /// `noSuchVersion` if the record names what is not there, and what ``activeRecord()`` throws.
  package func activeVersion() throws -> ActiveRecord.Entry {
    var record = try activeRecord()
    while try !versionNames().contains(record.active.name) {
      let now = try activeRecord()
      guard now != record else { throw StoreError.noSuchVersion(name, record.active.version) }
      record = now
    }
    return record.active
  }

  /// The absolute or relative path of the files of a version, from the path of the store.
  package func filesPath(of name: VersionName) -> String {
    "\(path)/\(StoreLayout.versions)/\(name.text)/\(StoreLayout.files)"
  }

  /// The absolute or relative path of the folder in which `candidate` comes to be, from the path of the store.
  package func path(of candidate: borrowing Candidate) -> String {
    "\(path)/\(StoreLayout.staging)/\(candidate.place)"
  }
}
