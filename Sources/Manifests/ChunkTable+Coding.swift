import Digests
import Signatures

/// The bytes of one chunk in the table: its length as 32 bits, most significant byte first, and its
/// SHA-256.
private let entrySize = 4 + SHA256Digest.byteCount

extension ChunkTable {
  /// The table as base64 of length and digest for each chunk in order.
  ///
  /// Lengths must be at most `ChunkLength.maximum`, which every table of a `Release` keeps to.
  package var base64: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(chunks.count * entrySize)
    for chunk in chunks {
      let length = UInt32(chunk.length)
      bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
      bytes += chunk.digest.bytes
    }
    return Base64.encode(bytes)
  }

  /// Reads what `base64` writes; throws when the text has another form or a chunk another length
  /// than 1 byte to 16 MiB.
  package init(base64: String, of file: RelativePath) throws(ManifestError) {
    guard let bytes = Base64.decode(base64), bytes.count % entrySize == 0 else {
      throw .text(
        .chunkTable,
        String(base64.prefix(40)),
        .badForm(expected: "base64 of \(entrySize) bytes per chunk")
      )
    }
    guard bytes.count / entrySize <= ChunkLength.maximumCount else {
      throw .release(.tooManyChunks(limit: ChunkLength.maximumCount))
    }
    self.init()
    for start in stride(from: 0, to: bytes.count, by: entrySize) {
      let length = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard (1...ChunkLength.maximum).contains(length),
        let digest = SHA256Digest(bytes: bytes[(start + 4)..<(start + entrySize)])
      else {
        throw .release(.badChunkLength(file: file, chunk: start / entrySize, length: length))
      }
      append(length: length, digest: digest)
    }
  }
}
