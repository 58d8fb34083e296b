import Digests

/// The eight bytes by which minisign and signify tell whether a signature is meant for a key; they prove nothing.
///
/// Both tools take a random number for a new key. Here it is the beginning of the key's SHA-256, so that everybody gives
/// the same key the same number.
package struct KeyNumber: Hashable, Sendable {
  /// The number of bytes of a key number.
  package static let byteCount = 8

  /// The bytes in the order in which they stand in files.
  package let bytes: [UInt8]

  init(of key: PublicKey) {
    bytes = Array(SHA256Digest(of: key.bytes).bytes.prefix(Self.byteCount))
  }
}

extension KeyNumber: CustomStringConvertible {
  /// In hexadecimal digits as minisign prints them: the last byte first, without zeros in front.
  package var description: String {
    let number = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return String(number, radix: 16, uppercase: true)
  }
}
