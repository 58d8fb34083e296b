/// A target that a repository lists.
package struct FoundTarget: Equatable, Sendable {
  package let path: TargetPath
  package let file: TargetFile
  /// The roles through which it was found, from targets to the one that lists it.
  package let way: [RoleName]

  init(path: TargetPath, file: TargetFile, way: [RoleName]) {
    (self.path, self.file, self.way) = (path, file, way)
  }

  /// The path in a URL below the base of targets: with the digest in front of the name in consistent snapshots (6.2.2).
  ///
  /// - Throws: ``MetadataRefusal`` for a path that would lead out of the base, for a target without a known digest, and
  ///   for one that is longer than a client takes.
  package func requestPath(
    in metadata: TrustedMetadata,
    limits: MetadataLimits = .standard
  ) throws(MetadataRefusal) -> String {
    guard file.length <= limits.target else {
      throw refusal(.listedTooLong(file.length, limit: limits.target))
    }
    guard let prefix = file.hashes.prefixes.first else { throw refusal(.noKnownDigest) }
    let isPrefixed = metadata.root.contents.usesConsistentSnapshots
    guard let path = path.requestPath(prefix: isPrefixed ? prefix : nil) else {
      throw refusal(.unsafePath)
    }
    return path
  }

  private func refusal(_ problem: MetadataProblem) -> MetadataRefusal {
    MetadataRefusal(section: "5.7.3", role: way.last ?? .targets, target: path, problem)
  }
}
