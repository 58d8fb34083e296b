import Trust

/// Where verified files are kept from one run to the next.
protocol MetadataKeeper {
  /// What was kept of the roots after the pin and of the other top-level roles.
  func stored(pin: [UInt8]) throws -> StoredMetadata
  /// The bytes of a role that were kept; nil for none.
  func bytes(of role: RoleName) throws -> [UInt8]?
  /// Keeps a file that passed all its checks; it is durable when this returns.
  func keep(_ metadata: KeptMetadata) throws
  /// Keeps the root that is trusted now where people look for it.
  func keepCurrentRoot(_ bytes: [UInt8]) throws
  /// The bytes under which a target was kept, which need not be those that are wanted now.
  func document(_ path: TargetPath, limit: Int) throws -> [UInt8]?
  /// Keeps the bytes of a target, which were verified.
  func keep(_ document: [UInt8], of path: TargetPath) throws
}

/// Keeps files in memory, for a run that is to leave nothing.
final class MemoryKeeper: MetadataKeeper {
  private var files: [RoleName: [UInt8]] = [:]
  private var roots: [[UInt8]] = []

  func stored(pin: [UInt8]) -> StoredMetadata {
    StoredMetadata(
      pin: pin,
      chain: roots,
      timestamp: files[.timestamp],
      snapshot: files[.snapshot],
      targets: files[.targets]
    )
  }

  func bytes(of role: RoleName) -> [UInt8]? { files[role] }

  func keep(_ metadata: KeptMetadata) {
    files[metadata.role] = metadata.bytes
    if metadata.role == .root { roots.append(metadata.bytes) }
  }

  func keepCurrentRoot(_ bytes: [UInt8]) { files[.root] = bytes }

  func document(_ path: TargetPath, limit: Int) -> [UInt8]? { nil }

  func keep(_ document: [UInt8], of path: TargetPath) {}
}
