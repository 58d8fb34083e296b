import CCrypto

/// The name that libcrypto gives to the algorithm of this library.
let ed25519AlgorithmName = "ED25519"

/// The algorithm of a public key in DER, as libcrypto names it, or its object identifier; nil if it is no such key.
func algorithmName(ofSubjectPublicKeyInfo contents: Span<UInt8>) -> String? {
  let info = unsafe contents.withUnsafeBufferPointer {
    unsafe crypto_read_public_key($0.baseAddress, $0.count)
  }
  guard let info = unsafe info else { return nil }
  defer { unsafe X509_PUBKEY_free(info) }
  var algorithm: OpaquePointer?
  guard unsafe X509_PUBKEY_get0_param(&algorithm, nil, nil, nil, info) == 1 else { return nil }
  return unsafe name(of: algorithm)
}

/// The name of an object identifier, or its digits if libcrypto knows no name.
func name(of object: OpaquePointer?) -> String {
  var text = [CChar](repeating: 0, count: 80)
  let count = unsafe OBJ_obj2txt(&text, CInt(text.count), object, 0)
  guard count > 0 else { return "unknown" }
  return String(
    decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
    as: UTF8.self
  )
}
