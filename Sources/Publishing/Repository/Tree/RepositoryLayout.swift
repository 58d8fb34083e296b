package import Trust

/// Where things lie in the tree of a repository.
///
///     metadata/   N.root.json  root.json  timestamp.json  V.snapshot.json  V.targets.json  V.bin-00.json …
///     targets/    policy, withdrawn releases and manifests, under HASH.name
///     blobs/      sha256/<hex>: the model files
///     .sealift/   lock, and the change that is being published; nobody else's business
package enum RepositoryLayout {
  package static let work = ".sealift"
  package static let lock = "publish.lock"
  package static let pending = "pending"
  /// Where a change that waits is meanwhile another one is published beside it.
  static let aside = "aside"
  package static let blobs = "blobs/sha256"

  /// The path of a file of metadata; every version but the timestamp's has one of its own.
  package static func metadata(_ role: RoleName, _ version: Int) -> String {
    "metadata/" + role.requestName(version: role == .timestamp ? nil : version)
  }

  /// The copy of the newest root, for people.
  package static let newestRoot = "metadata/root.json"
}
