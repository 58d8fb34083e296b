package import Manifests
package import StrictJSON

/// What the signed list of a repository says of one release: the member `custom` of its manifest's target.
///
///     { "channels": ["stable"], "model": "lfm2-2.6b", "released": "2026-11-30T00:00:00Z", "version": "1.0.0" }
///
/// It lets a client choose before it fetches a manifest. The manifest decides, and one that disagrees is refused.
package struct ReleaseEntry: Hashable, Sendable {
  package let model: ModelName
  package let version: Version
  /// The channels that offer the release; none for one that is only had by its version.
  package let channels: Set<ChannelName>
  package let released: Timestamp

  package init(
    model: ModelName,
    version: Version,
    channels: Set<ChannelName>,
    released: Timestamp
  ) {
    (self.model, self.version, self.channels, self.released) = (model, version, channels, released)
  }

  /// The entry for a release.
  package init(_ release: Release, channels: Set<ChannelName>) {
    self.init(
      model: release.model,
      version: release.version,
      channels: channels,
      released: release.released
    )
  }

  /// Reads `custom`; unknown members are ignored.
  ///
  /// - Throws: `noReleasePath`, or `document` for another form and for another release than that of the path.
  package init(path: String, custom: JSONObject?) throws(RepositoryError) {
    guard let release = RepositoryPath.release(at: path) else { throw .noReleasePath(path) }
    do throws(DocumentProblem) {
      let members = try JSONMembers<DocumentProblem>(
        document: .object(custom ?? JSONObject())
      )
      try members.node("model").expect(release.model.text)
      try members.node("version").expect(release.version.text)
      self.init(
        model: release.model,
        version: release.version,
        channels: try members.channels("channels"),
        released: try members.time("released")
      )
    } catch {
      throw .document(path: path, error)
    }
  }

  /// The entry as the member `custom`, always the same for the same entry.
  package var custom: JSONObject {
    [
      "channels": channels.document, "model": .string(model.text),
      "released": .string(released.text), "version": .string(version.text),
    ]
  }
}
