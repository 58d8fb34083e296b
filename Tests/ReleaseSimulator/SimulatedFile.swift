package import Digests
package import Manifests

/// A file of a release with its bytes in memory.
package struct SimulatedFile: Hashable, Sendable {
  package let path: RelativePath
  package var bytes: [UInt8]
  /// The length of all chunks but the last; nil for a file without chunk table.
  package var chunkLength: Int?
  package var role = FileRole.other
  package var format = FormatFacts(name: .other)
  package var runtimes: [RuntimeRequirement] = []
  package var mirrors: [MirrorTemplate] = []
  /// What is signed as the digest of the whole file; nil for the right one.
  package var signedDigest: SHA256Digest?

  package init(_ path: String, _ bytes: [UInt8], chunkLength: Int? = 64 * 1024) throws {
    self.path = try RelativePath(path)
    self.bytes = bytes
    self.chunkLength = chunkLength
  }

  /// What a manifest says about the file.
  package var entry: FileEntry {
    FileEntry(
      path: path,
      size: bytes.count,
      sha256: signedDigest ?? SHA256Digest(of: bytes),
      role: role,
      format: format,
      chunks: chunkLength.map { ChunkTable(of: bytes, chunkLength: $0) },
      runtimes: runtimes,
      mirrors: mirrors
    )
  }
}

extension ChunkTable {
  /// Cuts `bytes` into chunks of `chunkLength`, the last one shorter.
  package init(of bytes: [UInt8], chunkLength: Int) {
    self.init()
    for start in stride(from: 0, to: bytes.count, by: chunkLength) {
      let chunk = Array(bytes[start..<min(start + chunkLength, bytes.count)])
      append(length: chunk.count, digest: SHA256Digest(of: chunk))
    }
  }
}
