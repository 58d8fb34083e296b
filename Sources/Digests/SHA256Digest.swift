/// A SHA-256 value: 32 bytes, written as 64 lower-case hexadecimal digits.
package struct SHA256Digest: Hashable, Sendable {
  /// The number of bytes of a digest.
  package static let byteCount = 32

  package let bytes: [UInt8]

  /// Takes 32 bytes; nil for any other count.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// Reads exactly 64 digits of `0-9a-f`; nil for anything else, upper case included.
  package init?(hex: String) {
    guard let bytes = Digests.bytes(ofHex: hex, count: Self.byteCount) else { return nil }
    self.bytes = bytes
  }

  /// The 64 lower-case hexadecimal digits.
  package var hex: String { hexDigits(of: bytes) }

  /// The digest of no bytes at all: what a file has that was never written.
  package static let ofNothing = SHA256Digest(of: [])

  /// Computes the digest of `bytes`.
  package init(of bytes: [UInt8]) {
    var hasher = SHA256()
    hasher.update(bytes.span)
    self = hasher.finalize()
  }

  /// Takes the 32 bytes that libcrypto has written.
  init(checked bytes: [UInt8]) {
    precondition(bytes.count == Self.byteCount)
    self.bytes = bytes
  }
}

extension SHA256Digest: CustomStringConvertible {
  package var description: String { hex }
}
