import CSodium

/// An Ed25519 public key (RFC 8032) that is fit to verify signatures.
package struct PublicKey: Hashable, Sendable {
  /// The number of bytes of a public key.
  package static let byteCount = 32

  package let bytes: [UInt8]

  /// Takes 32 bytes that are the one encoding of a point whose order is not small.
  ///
  /// With a key of small order, one signature would fit many messages.
  /// - Throws: ``KeyError`` with the reason why the bytes are no such key.
  package init(bytes: some Collection<UInt8>) throws(KeyError) {
    guard bytes.count == Self.byteCount else {
      throw .wrongLength(expected: Self.byteCount, found: bytes.count)
    }
    let bytes = Array(bytes)
    guard isBelowPrime(bytes) else { throw .notCanonical }
    guard let multiple = timesEight(bytes) else { throw .notOnCurve }
    guard multiple != neutralElement else { throw .smallOrder }
    self.bytes = bytes
  }

  /// Takes the 32 bytes that libsodium has made for a secret key.
  init(checked bytes: [UInt8]) {
    precondition(bytes.count == Self.byteCount)
    self.bytes = bytes
  }

  /// Whether the owner of this key signed `message`.
  ///
  /// The rules of libsodium are stricter than RFC 8032: S below the group order, R not of small order. Takes
  /// about 0.1 ms and 2 ms a MiB. The corresponding C function is `crypto_sign_verify_detached`.
  package func verifies(_ signature: Signature, of message: [UInt8]) -> Bool {
    requireSodium()
    // The C function reads 64 and 32 bytes, whatever it is given.
    guard signature.bytes.count == Signature.byteCount, bytes.count == Self.byteCount else {
      return false
    }
    return unsafe crypto_sign_verify_detached(
      signature.bytes,
      message,
      UInt64(message.count),
      bytes
    ) == 0
  }
}

/// The encoding of the point (0, 1).
private let neutralElement: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)

/// Whether the y coordinate, a little-endian number under the sign bit, is below 2^255 - 19.
private func isBelowPrime(_ bytes: [UInt8]) -> Bool {
  let isTopFull = bytes[31] & 0x7f == 0x7f && bytes[1..<31].allSatisfy { $0 == 0xff }
  return !isTopFull || bytes[0] < 0xed
}

/// The point times eight, which is neutral for the eight points of small order; nil for what is no point.
private func timesEight(_ bytes: [UInt8]) -> [UInt8]? {
  requireSodium()
  var point = bytes
  for _ in 0..<3 {
    var double = [UInt8](repeating: 0, count: PublicKey.byteCount)
    guard unsafe crypto_core_ed25519_add(&double, point, point) == 0 else { return nil }
    point = double
  }
  return point
}
