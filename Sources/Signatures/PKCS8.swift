import CCrypto

/// The private key format of RFC 5208 and RFC 8410, plain and encrypted (RFC 8018), by libcrypto.
enum PKCS8 {
  static let label = "PRIVATE KEY"
  static let encryptedLabel = "ENCRYPTED PRIVATE KEY"

  /// What stands before the 32 bytes of a seed in PrivateKeyInfo (RFC 8410 section 7).
  private static let prefix: [UInt8] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
  ]

  /// Reads the seed from a plain key.
  static func seed(_ contents: Span<UInt8>) throws(KeyError) -> SecretBytes {
    let info = unsafe contents.withUnsafeBufferPointer {
      unsafe crypto_read_private_key($0.baseAddress, $0.count)
    }
    guard let info = unsafe info else { throw .damaged(.asn1) }
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
    return unsafe try seed(of: info)
  }

  /// Whether these are the bytes of an encrypted key rather than a plain one, and how it is encrypted if that is known.
  static func encryption(
    of contents: Span<UInt8>
  ) -> (isEncrypted: Bool, derivation: KeyDerivation?) {
    let sealed = unsafe contents.withUnsafeBufferPointer {
      unsafe crypto_read_encrypted_key($0.baseAddress, $0.count)
    }
    guard let sealed = unsafe sealed else { return (false, nil) }
    defer { unsafe X509_SIG_free(sealed) }
    return (true, unsafe KeyDerivation(of: sealed))
  }

  /// Decrypts a key with whatever method libcrypto knows and reads the seed.
  static func seed(
    _ contents: Span<UInt8>,
    _ passphrase: borrowing Passphrase
  ) throws(KeyError) -> SecretBytes {
    let sealed = unsafe contents.withUnsafeBufferPointer {
      unsafe crypto_read_encrypted_key($0.baseAddress, $0.count)
    }
    guard let sealed = unsafe sealed else { throw .damaged(.asn1) }
    defer { unsafe X509_SIG_free(sealed) }
    if let derivation = unsafe KeyDerivation(of: sealed), !derivation.isAffordable {
      throw .costlyDerivation(derivation)
    }
    CryptoFailure.forget()
    let info = unsafe passphrase.withCharacters { unsafe PKCS8_decrypt(sealed, $0, $1) }
    guard let info = unsafe info else {
      let method = unsafe methodName(of: sealed)
      throw CryptoFailure.take().keyError(method: method)
    }
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
    return unsafe try seed(of: info)
  }

  /// Writes a plain key.
  static func contents(_ key: borrowing SecretKey) -> SecretBytes {
    let seed = key.seed()
    return SecretBytes(capacity: prefix.count + seed.count) { room in
      for index in prefix.indices { room[index] = prefix[index] }
      seed.withBytes { seed in
        for index in seed.indices { room[prefix.count + index] = seed[index] }
      }
      return prefix.count + seed.count
    }
  }

  /// Writes a key encrypted by PBES2 with scrypt (N = 2^14, r = 8, p = 1; RFC 7914) and AES-256-CBC.
  ///
  /// Salt and initialisation vector are new each time. Takes about 0.1 s and 16 MiB. A larger N is refused by
  /// OpenSSL when it reads the key.
  /// - Throws: ``KeyError/unsupportedEncryption(_:)`` if this libcrypto has no such method.
  static func contents(
    _ key: borrowing SecretKey,
    encryptedWith passphrase: borrowing Passphrase
  ) throws(KeyError) -> [UInt8] {
    let info = unsafe contents(key).withBytes { plain in
      unsafe plain.withUnsafeBufferPointer {
        unsafe crypto_read_private_key($0.baseAddress, $0.count)
      }
    }
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
    CryptoFailure.forget()
    let method = unsafe PKCS5_pbe2_set_scrypt(EVP_aes_256_cbc(), nil, 16, nil, 1 << 14, 8, 1)
    let sealed = unsafe passphrase.withCharacters { unsafe PKCS8_set0_pbe($0, $1, info, method) }
    guard let sealed = unsafe sealed else {
      // A libcrypto restricted to FIPS methods has no scrypt.
      unsafe X509_ALGOR_free(method)
      throw CryptoFailure.take().keyError(method: "scrypt")
    }
    defer { unsafe X509_SIG_free(sealed) }
    var contents = [UInt8](repeating: 0, count: unsafe Int(i2d_X509_SIG(sealed, nil)))
    unsafe contents.withUnsafeMutableBufferPointer { output in
      var cursor = output.baseAddress
      _ = unsafe i2d_X509_SIG(sealed, &cursor)
    }
    return contents
  }

  /// Takes the seed from where it lies: `EVP_PKCS82PKEY` would leave copies of it in freed memory.
  private static func seed(of info: OpaquePointer) throws(KeyError) -> SecretBytes {
    var algorithm: OpaquePointer?
    var (start, count): (UnsafePointer<UInt8>?, CInt) = (nil, 0)
    var method: UnsafePointer<X509_ALGOR>?
    guard unsafe PKCS8_pkey_get0(&algorithm, &start, &count, &method, info) == 1 else {
      throw .damaged(.asn1)
    }
    guard unsafe OBJ_obj2nid(algorithm) == NID_ED25519 else {
      throw .notEd25519(found: unsafe name(of: algorithm))
    }
    var parameterKind: CInt = 0
    unsafe X509_ALGOR_get0(nil, &parameterKind, nil, method)
    // RFC 8410 sections 3 and 7: no parameters, and the seed is an octet string in the octet string.
    let octets = unsafe UnsafeBufferPointer(start: start, count: Int(count)).span
    guard parameterKind == V_ASN1_UNDEF, octets.count == 2 + SecretKey.seedByteCount,
      octets.starts(with: [0x04, UInt8(SecretKey.seedByteCount)])
    else { throw .damaged(.asn1) }
    return SecretBytes(copying: octets.extracting(droppingFirst: 2))
  }

  private static func methodName(of sealed: OpaquePointer) -> String {
    var (method, object): (UnsafePointer<X509_ALGOR>?, OpaquePointer?) = (nil, nil)
    unsafe X509_SIG_get0(sealed, &method, nil)
    unsafe X509_ALGOR_get0(&object, nil, nil, method)
    return unsafe name(of: object)
  }
}

extension Passphrase {
  /// Lends the passphrase in the types that libcrypto asks for.
  fileprivate func withCharacters<Value>(
    _ body: (UnsafePointer<CChar>?, CInt) -> Value
  ) -> Value {
    bytes.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe body(bytes.bindMemory(to: CChar.self).baseAddress, CInt(bytes.count))
      }
    }
  }
}
