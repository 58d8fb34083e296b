package import Digests

/// A file of a version, or one that is none of it, and what an audit says of it.
package struct AuditedFile: Hashable, Sendable {
  /// What the manifest says; nil for a file that it does not have.
  package struct Signed: Hashable, Sendable {
    package let size: Int
    package let sha256: SHA256Digest
    /// The geometry of the file: where its chunks begin and end; nil for a file without a table.
    package let chunks: ChunkTable?

    package init(size: Int, sha256: SHA256Digest, chunks: ChunkTable?) {
      self.size = size
      self.sha256 = sha256
      self.chunks = chunks
    }
  }

  /// What is known of the bytes of one chunk.
  package enum ChunkState: String, CaseIterable, Hashable, Sendable {
    case verified, wrong, notRead
  }

  /// How bytes came to the hash.
  package enum Reading: String, CaseIterable, Hashable, Sendable {
    /// No byte was read.
    case none
    /// From the medium, as far as the kernel says: the page cache was dropped before.
    case cold
    /// From the medium, past the page cache.
    case direct
    /// Another process has the file open or mapped, so some pages may have come from the cache.
    case throughCache
    /// Nobody can say whether another process has the file mapped: its owner alone may ask.
    case unknown
  }

  /// The path beneath the folder of the release.
  ///
  /// For an extra file it may be no path that a release could have.
  package let path: String
  package let signed: Signed?
  /// The state of each chunk of the table, in order; empty for a file without a table.
  package let chunks: [ChunkState]
  package let reading: Reading
  /// The bytes that were read and hashed, each of them once.
  package let bytesHashed: Int
  package let findings: [AuditFinding]
  /// The last modification, in nanoseconds since 1970; nil where nothing could be asked.
  package let modifiedAt: Int?

  package init(
    path: String,
    signed: Signed?,
    chunks: [ChunkState] = [],
    reading: Reading = .none,
    bytesHashed: Int = 0,
    findings: [AuditFinding] = [],
    modifiedAt: Int? = nil
  ) {
    self.path = path
    self.signed = signed
    self.chunks = chunks
    self.reading = reading
    self.bytesHashed = bytesHashed
    self.findings = findings
    self.modifiedAt = modifiedAt
  }

  /// The word for the file: that of its gravest finding, the first among equals, or `ok`.
  package var verdict: AuditVerdict { findings.gravest?.verdict ?? .ok }
}

extension Collection<AuditFinding> {
  /// The finding that matters most, the first among equals.
  package var gravest: AuditFinding? {
    guard let most = map(\.severity).max() else { return nil }
    return first { $0.severity == most }
  }
}
