package import Digests
package import Manifests
import StrictJSON
package import Trust

extension RepositoryDraft {
  /// A manifest that is to be listed.
  package struct NewRelease: Sendable {
    package let release: Release
    /// The file, byte for byte.
    package let bytes: [UInt8]
    package let payloadDigest: SHA256Digest
    package let channels: Set<ChannelName>

    package init(
      _ release: Release,
      bytes: [UInt8],
      payloadDigest: SHA256Digest,
      channels: Set<ChannelName>
    ) {
      (self.release, self.bytes) = (release, bytes)
      (self.payloadDigest, self.channels) = (payloadDigest, channels)
    }
  }

  /// Lists releases; those that are listed already, the same in all, change nothing.
  ///
  /// - Parameters:
  ///   - releases: The releases; of one version only one manifest.
  ///   - now: The time of the new metadata.
  ///   - limit: With how many releases the targets are spread over bins.
  /// - Throws: ``RepositoryProblem``.
  package mutating func add(
    _ releases: [NewRelease],
    at now: Timestamp,
    binsFrom limit: Int = RepositoryDraft.binsFrom
  ) throws(RepositoryProblem) {
    var added: [NewRelease] = []
    for new in releases where try isNew(new) {
      let twin = added.first {
        $0.release.model == new.release.model && $0.release.version == new.release.version
      }
      guard let twin else {
        added.append(new)
        continue
      }
      guard twin.bytes == new.bytes else {
        throw .otherRelease(new.release.model, new.release.version)
      }
    }
    guard !added.isEmpty else { return }
    let count = try listed().count + added.count
    if count > limit, contents(.targets)?.delegations == nil { try spread(at: now) }
    for new in added {
      let (model, version) = (new.release.model, new.release.version)
      let path = try Self.path(RepositoryPath.manifest(of: model, version))
      let entry = ReleaseEntry(new.release, channels: new.channels)
      try list(new.bytes, at: path, custom: entry.custom, now)
      summary.append("add \(model)@\(version) \(channelWords(new.channels))")
    }
    try index(Set(added.map(\.release.model)), at: now)
  }

  private func isNew(_ new: NewRelease) throws(RepositoryProblem) -> Bool {
    let (model, version) = (new.release.model, new.release.version)
    if let gone = base?.withdrawn.releases.first(where: {
      $0.model == model && $0.version == version
    }) {
      throw .withdrawn(model, version, reason: gone.reason)
    }
    let path = try Self.path(RepositoryPath.manifest(of: model, version))
    guard let old = file(at: path) else { return true }
    guard old.hashes.sha256 == SHA256Digest(of: new.bytes) else {
      throw .otherRelease(model, version)
    }
    return false
  }

  /// Gives a release other channels.
  ///
  /// - Throws: ``RepositoryProblem/noSuchRelease(_:_:)``.
  package mutating func setChannels(
    of model: ModelName,
    _ version: Version,
    at now: Timestamp,
    _ change: (inout Set<ChannelName>) -> Void
  ) throws(RepositoryProblem) {
    let path = try Self.path(RepositoryPath.manifest(of: model, version))
    guard var file = file(at: path) else { throw .noSuchRelease(model, version) }
    let old = try Self.entry(path, file)
    var channels = old.channels
    change(&channels)
    guard channels != old.channels else { return }
    let entry = ReleaseEntry(
      model: model,
      version: version,
      channels: channels,
      released: old.released
    )
    file.custom = entry.custom
    edit(role(of: path), at: now) { $0.targets[path] = file }
    summary.append("\(model)@\(version) \(channelWords(channels))")
    try index([model], at: now)
  }

  /// Takes a release off the list, and lists it among those that are withdrawn.
  ///
  /// - Throws: ``RepositoryProblem/noSuchRelease(_:_:)``, ``RepositoryProblem/withdrawn(_:_:reason:)``.
  package mutating func withdraw(
    _ gone: WithdrawnRelease,
    at now: Timestamp
  ) throws(RepositoryProblem) {
    let path = try Self.path(RepositoryPath.manifest(of: gone.model, gone.version))
    let before = base?.withdrawn ?? WithdrawnReleases()
    if let old = before.releases.first(where: {
      $0.model == gone.model && $0.version == gone.version
    }) {
      throw .withdrawn(gone.model, gone.version, reason: old.reason)
    }
    guard file(at: path) != nil else { throw .noSuchRelease(gone.model, gone.version) }
    let list: WithdrawnReleases
    do { list = try before.adding(gone) } catch {
      throw .badDocument(RepositoryPath.withdrawn, error)
    }
    edit(role(of: path), at: now) { $0.targets[path] = nil }
    try self.list(list.encode(), at: Self.path(RepositoryPath.withdrawn), custom: nil, now)
    summary.append("withdraw \(gone.model)@\(gone.version): \(gone.reason)")
    try index([gone.model], at: now)
  }

  /// Lists a document in the role of its path.
  mutating func list(
    _ bytes: [UInt8],
    at path: TargetPath,
    custom: JSONObject?,
    _ now: Timestamp
  ) throws(RepositoryProblem) {
    let role = role(of: path)
    try refuseTwin(of: path, in: role)
    let file = TargetFile(of: bytes, custom: custom)
    edit(role, at: now) { $0.targets[path] = file }
    documents.removeAll { $0.path == path }
    documents.append(Document(path: path, bytes: bytes))
  }

  /// Refuses a path that differs from a listed one in nothing but case.
  private func refuseTwin(of path: TargetPath, in role: RoleName) throws(RepositoryProblem) {
    guard let targets = contents(role)?.targets, targets[path] == nil else { return }
    let folded = path.text.lowercased()
    for other in targets.keys where other.text.utf8.count == path.text.utf8.count {
      guard other.text.lowercased() != folded else { throw .caseTwin(path.text, other.text) }
    }
  }

  // MARK: Looking

  func role(of path: TargetPath) -> RoleName {
    guard let targets = contents(.targets) else { return .targets }
    return RepositoryState.role(of: path, in: targets)
  }

  /// The entry of a path as it will be.
  package func file(at path: TargetPath) -> TargetFile? { contents(role(of: path))?.targets[path] }

  /// The channels of a release as they will be; nil for one that is not listed.
  package func channels(of model: ModelName, _ version: Version) -> Set<ChannelName>? {
    guard let path = TargetPath(RepositoryPath.manifest(of: model, version)),
      let file = file(at: path)
    else { return nil }
    return try? ReleaseEntry(path: path.text, custom: file.custom).channels
  }

  /// All releases as they will be.
  func listed() throws(RepositoryProblem) -> [(entry: ReleaseEntry, file: TargetFile)] {
    let names = Set(targets.keys).union(base?.bins.keys.map(\.self) ?? []).union([.targets])
    do { return try RepositoryState.releases(names.compactMap(contents)) } catch {
      throw .badDocument("metadata/targets.json", error)
    }
  }

  static func path(_ text: String) throws(RepositoryProblem) -> TargetPath {
    guard TargetPath.isPublishable(text), let path = TargetPath(text) else {
      throw .unfitPath(text)
    }
    return path
  }

  private static func entry(
    _ path: TargetPath,
    _ file: TargetFile
  ) throws(RepositoryProblem) -> ReleaseEntry {
    do { return try ReleaseEntry(path: path.text, custom: file.custom) } catch {
      throw .badDocument(path.text, error)
    }
  }

  private func channelWords(_ channels: Set<ChannelName>) -> String {
    channels.isEmpty
      ? "in no channel" : "in " + channels.sorted().map(\.text).joined(separator: ", ")
  }
}
