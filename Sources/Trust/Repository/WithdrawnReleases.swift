package import Digests
package import Manifests
import StrictJSON

/// A release that a repository has taken back.
package struct WithdrawnRelease: Hashable, Sendable {
  package let model: ModelName
  package let version: Version
  /// The SHA-256 of the payload of its manifest, which is the same whoever signed it.
  package let manifest: SHA256Digest
  package let reason: String
  /// When it was withdrawn, as its publisher says.
  package let time: Timestamp

  package init(
    model: ModelName,
    version: Version,
    manifest: SHA256Digest,
    reason: String,
    time: Timestamp
  ) {
    (self.model, self.version, self.manifest) = (model, version, manifest)
    (self.reason, self.time) = (reason, time)
  }
}

/// The releases that a repository has taken back: its target `withdrawn.json`.
///
///     { "releases": [ { "manifestSha256": "<64 hex>", "model": "lfm2-2.6b", "reason": "wrong tokenizer",
///                       "version": "1.1.0", "withdrawn": "2026-12-01T00:00:00Z" } ],
///       "schema": "sealift.withdrawn/1" }
///
/// The targets role signs it, so that withdrawing needs no key of the root. Unknown members are ignored.
package struct WithdrawnReleases: Hashable, Sendable {
  private static let schema = "sealift.withdrawn/1"

  /// The releases by model and version, each once.
  package let releases: [WithdrawnRelease]

  /// Nothing is withdrawn.
  package init() { releases = [] }

  private init(_ releases: [WithdrawnRelease]) {
    self.releases = releases.sorted { ($0.model, $0.version) < ($1.model, $1.version) }
  }

  /// Reads the target; throws `document` or `repeatedRelease`.
  package init(parsing bytes: [UInt8]) throws(RepositoryError) {
    let path = RepositoryPath.withdrawn
    let releases = try readDocument(bytes, at: path) { members throws(DocumentProblem) in
      try members.node("schema").expect(Self.schema)
      return try members.objects("releases").map { release throws(DocumentProblem) in
        WithdrawnRelease(
          model: try release.model("model"),
          version: try release.version("version"),
          manifest: try release.node("manifestSha256").sha256(),
          reason: try release.string("reason"),
          time: try release.time("withdrawn")
        )
      }
    }
    self.init(releases)
    for (one, next) in zip(self.releases, self.releases.dropFirst())
    where one.model == next.model && one.version == next.version {
      throw .repeatedRelease(path: path, one.model, one.version)
    }
  }

  /// The bytes of the target, always the same for the same releases.
  package func encode() -> [UInt8] {
    JSONWriter.canonical([
      "schema": .string(Self.schema),
      "releases": .array(
        releases.map { release in
          [
            "model": .string(release.model.text), "version": .string(release.version.text),
            "manifestSha256": .string(release.manifest.hex), "reason": .string(release.reason),
            "withdrawn": .string(release.time.text),
          ]
        }
      ),
    ])
  }

  /// With one release more; throws `alreadyWithdrawn` for a version that is withdrawn.
  package func adding(_ release: WithdrawnRelease) throws(RepositoryError) -> WithdrawnReleases {
    guard self.release(release.model, release.version) == nil else {
      throw .alreadyWithdrawn(release.model, release.version)
    }
    return WithdrawnReleases(releases + [release])
  }

  /// What is said of a release; nil while it is not withdrawn.
  package func release(_ model: ModelName, _ version: Version) -> WithdrawnRelease? {
    releases.first { $0.model == model && $0.version == version }
  }

  /// What is said of a manifest; nil while it is not withdrawn.
  package func release(of manifest: SHA256Digest) -> WithdrawnRelease? {
    releases.first { $0.manifest == manifest }
  }
}
