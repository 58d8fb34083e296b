import CCrypto

/// A SHA-512 value: 64 bytes, written as 128 lower-case hexadecimal digits.
package struct SHA512Digest: Hashable, Sendable {
  /// The number of bytes of a digest.
  package static let byteCount = 64

  package let bytes: [UInt8]

  /// Reads exactly 128 digits of `0-9a-f`; nil for anything else, upper case included.
  package init?(hex: String) {
    guard let bytes = Digests.bytes(ofHex: hex, count: Self.byteCount) else { return nil }
    self.bytes = bytes
  }

  /// Computes the digest of `bytes` with libcrypto.
  package init(of bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: Self.byteCount)
    let status = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha512(), nil)
    precondition(status == 1, "libcrypto has SHA-512")
    self.bytes = digest
  }

  /// The 128 lower-case hexadecimal digits.
  package var hex: String { hexDigits(of: bytes) }
}

extension SHA512Digest: CustomStringConvertible {
  package var description: String { hex }
}
