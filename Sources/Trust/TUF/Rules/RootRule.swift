package import Manifests

/// What is asked of a root (5.2, 5.3).
package enum RootRule {
  /// Reads the root from which trust begins: it must have the signatures that it asks for itself, and may have expired (5.2).
  package static func acceptPin(
    _ bytes: [UInt8],
    limits: MetadataLimits = .standard
  ) throws(MetadataRefusal) -> SignedRoot {
    let root = try SignedRoot(parsing: bytes, as: .root, limit: limits.root)
    let keys = root.contents
    try root.requireThreshold(keys.root, in: keys.keys, as: .root, section: "5.2")
    return root
  }

  /// Reads the root that follows `trusted` (5.3.4–5): signed by the root keys of both, and of exactly the next version.
  ///
  /// That it may have expired is looked at after the last one (5.3.6).
  package static func accept(
    _ bytes: [UInt8],
    after trusted: SignedRoot,
    limits: MetadataLimits = .standard
  ) throws(MetadataRefusal) -> SignedRoot {
    try accept(SignedRoot(parsing: bytes, as: .root, limit: limits.root), after: trusted)
  }

  /// Accepts a root that has been read, as ``accept(_:after:limits:)`` does.
  static func accept(
    _ root: SignedRoot,
    after trusted: SignedRoot
  ) throws(MetadataRefusal) -> SignedRoot {
    for keys in [trusted.contents, root.contents] {
      try root.requireThreshold(keys.root, in: keys.keys, as: .root, section: "5.3.4")
    }
    let (next, overflows) = trusted.version.addingReportingOverflow(1)
    guard !overflows, root.version == next else {
      throw MetadataRefusal(
        section: "5.3.5",
        role: .root,
        root.version < trusted.version
          ? .rollback(found: root.version, trusted: trusted.version)
          : .wrongVersion(found: root.version, expected: next)
      )
    }
    return root
  }

  /// Refuses the last root if it has expired (5.3.10).
  package static func requireUnexpired(
    _ root: SignedRoot,
    at now: Timestamp
  ) throws(MetadataRefusal) {
    try requireUnexpired(root.contents.header, as: .root, at: now, section: "5.3.10")
  }

  /// Refuses metadata from the second of its expiry on.
  static func requireUnexpired(
    _ header: MetadataHeader,
    as role: RoleName,
    at now: Timestamp,
    section: String
  ) throws(MetadataRefusal) {
    guard header.expires > now else {
      throw MetadataRefusal(section: section, role: role, .expired(header.expires, now: now))
    }
  }
}
