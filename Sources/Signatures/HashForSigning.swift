import CSodium

/// The hashes that some containers sign in place of a message.
enum HashForSigning {
  /// The BLAKE2b-512 of `message`; the corresponding C function is `crypto_generichash`.
  static func blake2b(_ message: [UInt8]) -> [UInt8] {
    requireSodium()
    var hash = [UInt8](repeating: 0, count: 64)
    let status = unsafe crypto_generichash(
      &hash,
      hash.count,
      message,
      UInt64(message.count),
      nil,
      0
    )
    precondition(status == 0, "libsodium hashes any bytes")
    return hash
  }

  /// The SHA-512 of `message`; the corresponding C function is `crypto_hash_sha512`.
  static func sha512(_ message: [UInt8]) -> [UInt8] {
    requireSodium()
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha512_BYTES))
    let status = unsafe crypto_hash_sha512(&hash, message, UInt64(message.count))
    precondition(status == 0, "libsodium hashes any bytes")
    return hash
  }
}
