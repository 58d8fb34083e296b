import Digests

/// The bytes of a journal: which file a part belongs to, and what of it may be there already.
///
/// A hint, never proof: what it claims is hashed before it is believed, so it needs no sync and no order.
///
///     16 bytes  "sealift part 1\n" and a zero
///     32 bytes  SHA-256 of the whole file
///      8 bytes  size, big-endian
///     32 bytes  SHA-256 over the chunk table, zeros without one
///      4 bytes  CRC-32C of all before
///     then, again and again:
///      8 bytes  claim, big-endian: the index of a chunk; without a table, the bytes from the start
///      4 bytes  CRC-32C of header and claim
package struct PartJournal: Hashable, Sendable {
  /// The bytes of one record.
  static let recordSize = 12

  package let header: [UInt8]

  /// The journal of the part of `request`.
  package init(for request: FetchRequest) {
    var header = Array("sealift part 1\n\0".utf8)
    header += request.digest.bytes
    header += bigEndian(UInt64(request.size))
    header += request.chunks.map(tableDigest) ?? Array(repeating: 0, count: 32)
    header += bigEndian(UInt64(crc32c(header))).suffix(4)
    self.header = header
  }

  /// The record of a claim.
  package func record(_ claim: Int) -> [UInt8] {
    let value = bigEndian(UInt64(claim))
    return value + bigEndian(UInt64(crc32c(header.suffix(4) + value))).suffix(4)
  }

  /// The claims in `bytes`; nil if they are of another file or version, or damaged.
  ///
  /// A last record that is cut short is what a kill leaves, and no damage.
  package func claims(in bytes: [UInt8]) -> [Int]? {
    guard bytes.starts(with: header) else { return nil }
    var claims: [Int] = []
    var rest = bytes.dropFirst(header.count)
    while rest.count >= Self.recordSize {
      let value = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard let claim = Int(exactly: value),
        rest.prefix(Self.recordSize).elementsEqual(record(claim))
      else { return nil }
      claims.append(claim)
      rest = rest.dropFirst(Self.recordSize)
    }
    return claims
  }
}

private func bigEndian(_ value: UInt64) -> [UInt8] {
  stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt64($0)) }
}

private func tableDigest(_ table: ChunkTable) -> [UInt8] {
  var hasher = SHA256()
  for chunk in table.chunks {
    hasher.update(bigEndian(UInt64(chunk.length)).span)
    hasher.update(chunk.digest.bytes.span)
  }
  return hasher.finalize().bytes
}
