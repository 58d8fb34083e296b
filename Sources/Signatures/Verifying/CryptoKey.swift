import CCrypto

/// A public key in the hands of libcrypto.
@safe struct CryptoKey: ~Copyable {
  /// What is done with the hash before an RSA operation.
  enum Padding { case none, pss }
  enum Coordinate: String { case x = "qx", y = "qy" }

  private let key: OpaquePointer

  /// Takes a SubjectPublicKeyInfo in DER that fills the bytes.
  init(subjectPublicKeyInfo info: [UInt8]) throws(KeyError) {
    let parsed = unsafe crypto_read_public_key(info, info.count)
    guard let parsed = unsafe parsed else { throw .damaged(.asn1) }
    defer { unsafe X509_PUBKEY_free(parsed) }
    let key = unsafe X509_PUBKEY_get(parsed)
    CryptoFailure.forget()
    guard let key = unsafe key else { throw .damaged(.asn1) }
    unsafe self.key = key
  }

  deinit { unsafe EVP_PKEY_free(key) }

  var isRSA: Bool { unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA }
  var isElliptic: Bool { unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC }

  /// The algorithm as libcrypto names it.
  var algorithm: String {
    unsafe EVP_PKEY_get0_type_name(key).map { unsafe String(cString: $0) } ?? "unknown"
  }

  /// The curve as libcrypto names it; nil for keys of no named curve.
  var curve: String? {
    var name = [CChar](repeating: 0, count: 80)
    var count = 0
    guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else {
      CryptoFailure.forget()
      return nil
    }
    return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The bits of the modulus or of the group.
  var bitCount: Int { unsafe Int(EVP_PKEY_get_bits(key)) }

  /// Whether the exponent of an RSA key is odd and above 1.
  var hasSafeExponent: Bool {
    guard let exponent = unsafe number("e") else { return false }
    defer { unsafe BN_free(exponent) }
    return unsafe BN_is_odd(exponent) == 1 && BN_num_bits(exponent) > 1
  }

  /// The 32 bytes of a coordinate of a point on P-256; nil if there is no point.
  func coordinate(_ coordinate: Coordinate) -> [UInt8]? {
    guard let number = unsafe number(coordinate.rawValue) else { return nil }
    defer { unsafe BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: 32)
    return unsafe BN_bn2binpad(number, &bytes, 32) == 32 ? bytes : nil
  }

  /// The key in DER as libcrypto writes it.
  var subjectPublicKeyInfo: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: unsafe Int(max(0, i2d_PUBKEY(key, nil))))
    unsafe bytes.withUnsafeMutableBufferPointer { output in
      var cursor = output.baseAddress
      _ = unsafe i2d_PUBKEY(key, &cursor)
    }
    return bytes
  }

  private func number(_ name: String) -> OpaquePointer? {
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1 else {
      CryptoFailure.forget()
      return nil
    }
    return unsafe number
  }

  /// Whether `signature` is one over the SHA-256 of `message` by the key with this DER form.
  ///
  /// The corresponding C function is `EVP_DigestVerify`.
  static func verifies(
    _ signature: [UInt8],
    of message: [UInt8],
    by info: [UInt8],
    padding: Padding
  ) -> Bool {
    let key: CryptoKey
    do { key = try CryptoKey(subjectPublicKeyInfo: info) } catch { return false }
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    defer {
      unsafe EVP_MD_CTX_free(context)
      CryptoFailure.forget()
    }
    var details: OpaquePointer?
    guard unsafe EVP_DigestVerifyInit(context, &details, EVP_sha256(), nil, key.key) == 1 else {
      return false
    }
    if padding == .pss {
      guard unsafe EVP_PKEY_CTX_set_rsa_padding(details, RSA_PKCS1_PSS_PADDING) == 1,
        unsafe EVP_PKEY_CTX_set_rsa_mgf1_md(details, EVP_sha256()) == 1,
        unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(details, CInt(RSA_PSS_SALTLEN_AUTO)) == 1
      else { return false }
    }
    return unsafe EVP_DigestVerify(
      context,
      signature,
      signature.count,
      message,
      message.count
    ) == 1
  }
}
