package import Digests

/// One file to fetch: what its bytes must be, and where mirrors may have it.
package struct FetchRequest: Hashable, Sendable {
  /// The name of the file in events and errors.
  package let label: String
  /// The name in the folder of parts; the engine works on `<name>.part` and `<name>.journal`.
  package let name: String
  /// The length in bytes.
  package let size: Int
  /// The SHA-256 of the whole file.
  package let digest: SHA256Digest
  /// The chunks that are verified one by one; nil for a file that is verified whole.
  package let chunks: ChunkTable?
  /// Where to ask, in the order of preference.
  package let sources: [FetchSource]

  /// Describes a file; the lengths of `chunks` must sum to `size`.
  package init(
    label: String,
    name: String,
    size: Int,
    digest: SHA256Digest,
    chunks: ChunkTable?,
    sources: [FetchSource]
  ) {
    precondition(size >= 0 && (chunks == nil || chunks?.size == size), "the chunks make the file")
    self.label = label
    self.name = name
    self.size = size
    self.digest = digest
    self.chunks = chunks
    self.sources = sources
  }
}

/// The place where one mirror may have one file.
package struct FetchSource: Hashable, Sendable {
  /// What tells this mirror from others in all files: its base URL or template, not its host alone.
  package let mirror: String
  /// The absolute URL, percent-encoded: `https`, `http` or `file`.
  package let url: String

  package init(mirror: String, url: String) {
    self.mirror = mirror
    self.url = url
  }
}
