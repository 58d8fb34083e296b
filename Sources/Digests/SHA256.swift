import CCrypto

/// A SHA-256 computation (FIPS 180-4) over bytes that arrive in pieces.
///
/// Computed by libcrypto, which uses the SHA instructions of the processor where there are any. A new value
/// with its `finalize` costs about 0.3 µs.
@safe package struct SHA256: ~Copyable {
  private let context: OpaquePointer

  package init() {
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    unsafe self.context = context
    reset()
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Adds `bytes` to what is hashed.
  package mutating func update(_ bytes: Span<UInt8>) {
    let status = unsafe bytes.withUnsafeBytes {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    precondition(status == 1, "libcrypto hashes any bytes")
  }

  /// Returns the digest of all bytes added since the last call, and starts anew.
  package mutating func finalizeAndReset() -> SHA256Digest {
    var digest = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
    let status = unsafe EVP_DigestFinal_ex(context, &digest, nil)
    precondition(status == 1, "libcrypto finishes what it started")
    reset()
    return SHA256Digest(checked: digest)
  }

  /// Returns the digest of all bytes added.
  package consuming func finalize() -> SHA256Digest { finalizeAndReset() }

  private func reset() {
    let status = unsafe EVP_DigestInit_ex2(context, EVP_sha256(), nil)
    precondition(status == 1, "libcrypto has SHA-256")
  }
}
