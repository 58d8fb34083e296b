package import Manifests
import Signatures
package import SystemFiles
package import Trust

/// What of a tree was lost and can be had again: roots that are there twice, and the timestamp, which names what is there.
extension RepositoryTree {
  /// Brings the newest numbered root back from its copy, if it was lost; returns its path.
  ///
  /// - Throws: `SystemError`; a copy that does not follow the roots before it is left alone.
  package func restoreNumberedRoot() throws -> String? {
    let limit = MetadataLimits.standard.root
    guard let copy = try read(RepositoryLayout.newestRoot, limit: limit),
      let root = try? SignedRoot(parsing: copy, as: .root, limit: limit)
    else { return nil }
    let place = RepositoryLayout.metadata(.root, root.version)
    guard try read(place, limit: limit) == nil else { return nil }
    var roots: [[UInt8]] = []
    for version in 1..<max(1, root.version) {
      guard let bytes = try read(RepositoryLayout.metadata(.root, version), limit: limit) else {
        return nil
      }
      roots.append(bytes)
    }
    roots.append(copy)
    guard let chain = try? RootChain(pin: roots[0], chain: Array(roots.dropFirst())),
      chain.newest.version == root.version
    else { return nil }
    try create(place, copy)
    return place
  }

  /// Makes the copy of the newest root the newest root; false if it was.
  package func restoreNewestRoot(_ root: SignedRoot) throws(SystemError) -> Bool {
    let limit = MetadataLimits.standard.root
    guard try read(RepositoryLayout.newestRoot, limit: limit) != root.bytes else { return false }
    try replace(RepositoryLayout.newestRoot, root.bytes)
    return true
  }

  /// Makes a timestamp that was lost, for the newest snapshot that is there.
  ///
  /// It is checked as a client would, from the first root on; what has expired is no fault here.
  /// - Parameters:
  ///   - version: The highest version that any client may have seen; the new one is the next.
  ///   - signers: Those who sign it.
  ///   - lifetimes: How long it is good.
  ///   - now: The time at which it is made.
  /// - Returns: The version.
  /// - Throws: ``RepositoryProblem``: a timestamp that is there, signatures that are missing, what a client would refuse; what
  ///   the signers throw, and `SystemError`.
  package func restoreTimestamp(
    above version: Int,
    by signers: [RepositorySigner],
    lifetimes: RoleLifetimes,
    at now: Timestamp
  ) throws -> Int {
    let place = RepositoryLayout.metadata(.timestamp, 0)
    let limits = MetadataLimits.standard
    guard try read(place, limit: limits.timestamp) == nil else {
      throw RepositoryProblem.timestampThere
    }
    let root = try newestRoot().contents
    let number = try newestSnapshot()
    let snapshot = RepositoryLayout.metadata(.snapshot, number)
    guard let bytes = try read(snapshot, limit: limits.snapshot) else {
      throw RepositoryProblem.missing(snapshot)
    }
    var file = SignedTimestamp(
      TimestampMetadata(
        header: MetadataHeader(
          version: version + 1,
          expires: lifetimes.end(of: .timestamp, from: now)
        ),
        snapshot: FileFacts(version: number, of: bytes)
      )
    )
    let owners = root.timestamp.publicKeys(in: root.keys)
    let able = signers.filter { owners.contains($0.publicKey) }
    guard able.count >= root.timestamp.threshold else {
      throw RepositoryProblem.tooFewSignatures([
        MissingSignatures(
          part: .role(.timestamp),
          found: able.count,
          threshold: root.timestamp.threshold,
          keys: owners.map(\.fingerprint)
        )
      ])
    }
    for signer in able {
      let signature = try signer.sign(file.signedBytes)
      file = file.adding(MetadataSignature(signature, by: signer.publicKey))
    }
    let staged = file.bytes
    func open(_ path: String, _ limit: Int) throws -> [UInt8]? {
      try path == place ? staged : read(path, limit: limit)
    }
    let trusted = try StagedTree.trusted(at: .earliest, reading: open)
    try StagedTree.checkBins(in: trusted, reading: open)
    try replace(place, staged)
    return version + 1
  }

  private func newestRoot() throws -> SignedRoot {
    var roots: [[UInt8]] = []
    while let root = try read(
      RepositoryLayout.metadata(.root, roots.count + 1),
      limit: MetadataLimits.standard.root
    ) {
      roots.append(root)
    }
    let first = RepositoryLayout.metadata(.root, 1)
    guard let pin = roots.first else { throw RepositoryProblem.missing(first) }
    do {
      return try RootChain(pin: pin, chain: Array(roots.dropFirst())).newest
    } catch {
      throw RepositoryProblem.refused(error, file: first)
    }
  }

  /// The highest version of a snapshot that has a file.
  private func newestSnapshot() throws -> Int {
    let end = ".snapshot.json"
    let names = try folder.openFolderIfPresent("metadata")?.entries().map(\.name) ?? []
    let versions = names.compactMap { name -> Int? in
      guard name.utf8.suffix(end.utf8.count).elementsEqual(end.utf8) else { return nil }
      let text = String(Substring(name.utf8.dropLast(end.utf8.count)))
      // `007` is the number of no file.
      guard let number = Int(text), String(number).utf8.elementsEqual(text.utf8) else { return nil }
      return number
    }
    guard let newest = versions.max() else {
      throw RepositoryProblem.missing(RepositoryLayout.metadata(.snapshot, 1))
    }
    return newest
  }
}
