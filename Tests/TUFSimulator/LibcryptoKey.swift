import CCrypto

/// A key pair that libcrypto has made, kept as DER since its own form belongs to one thread at a time.
struct LibcryptoKey: Sendable {
  enum Kind { case p256, rsa(bits: Int) }

  let publicPEM: String
  private let secret: [UInt8]
  private let isRSA: Bool

  init(_ kind: Kind) {
    switch kind {
    case .p256: isRSA = false
    case .rsa: isRSA = true
    }
    let context = unsafe EVP_PKEY_CTX_new_from_name(nil, isRSA ? "RSA" : "EC", nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    unsafe Self.require(EVP_PKEY_keygen_init(context))
    switch kind {
    case .p256: unsafe Self.require(EVP_PKEY_CTX_set_group_name(context, "P-256"))
    case .rsa(let bits): unsafe Self.require(EVP_PKEY_CTX_set_rsa_keygen_bits(context, CInt(bits)))
    }
    var key: OpaquePointer?
    unsafe Self.require(EVP_PKEY_generate(context, &key))
    defer { unsafe EVP_PKEY_free(key) }
    secret = unsafe Self.der { unsafe i2d_PrivateKey(key, $0) }
    publicPEM = Self.pem(unsafe Self.der { unsafe i2d_PUBKEY(key, $0) })
  }

  /// Signs with SHA-256: in DER with an elliptic key, by PSS with a salt of 32 bytes with one of RSA.
  func sign(_ message: [UInt8]) -> [UInt8] {
    let key = unsafe secret.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var cursor = bytes.baseAddress
      return unsafe d2i_AutoPrivateKey(nil, &cursor, bytes.count)
    }
    defer { unsafe EVP_PKEY_free(key) }
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    var details: OpaquePointer?
    unsafe Self.require(EVP_DigestSignInit(context, &details, EVP_sha256(), nil, key))
    if isRSA {
      unsafe Self.require(EVP_PKEY_CTX_set_rsa_padding(details, RSA_PKCS1_PSS_PADDING))
      unsafe Self.require(EVP_PKEY_CTX_set_rsa_pss_saltlen(details, 32))
    }
    var signature = [UInt8](repeating: 0, count: 4096)
    var count = signature.count
    unsafe Self.require(EVP_DigestSign(context, &signature, &count, message, message.count))
    return Array(signature.prefix(count))
  }

  private static func der(
    _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(write(nil)))
    unsafe bytes.withUnsafeMutableBufferPointer { output in
      var cursor = output.baseAddress
      _ = unsafe write(&cursor)
    }
    return bytes
  }

  private static func pem(_ bytes: [UInt8]) -> String {
    let digits = base64(bytes)
    let lines = stride(from: 0, to: digits.count, by: 64).map {
      String(decoding: digits[$0..<min($0 + 64, digits.count)], as: UTF8.self)
    }
    return
      "-----BEGIN PUBLIC KEY-----\n\(lines.joined(separator: "\n"))\n-----END PUBLIC KEY-----\n"
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    var digits = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = unsafe EVP_EncodeBlock(&digits, bytes, CInt(bytes.count))
    return Array(digits.prefix(Int(count)))
  }

  private static func require(_ status: CInt) {
    precondition(status == 1, "libcrypto makes keys and signatures")
  }
}
