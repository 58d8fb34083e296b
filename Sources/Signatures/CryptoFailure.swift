import CCrypto

/// The errors that libcrypto has queued for this thread, in the order in which they happened.
struct CryptoFailure {
  private struct Entry: Hashable {
    let library: CInt
    let reason: CInt
  }

  private let entries: [Entry]
  /// The words of the first error that libcrypto has words for.
  private let text: String

  /// Empties the queue, before a call whose errors matter.
  static func forget() { ERR_clear_error() }

  /// Takes the errors from the queue.
  static func take() -> CryptoFailure {
    var entries: [Entry] = []
    var texts: [String] = []
    while case let code = ERR_get_error(), code != 0 {
      entries.append(Entry(library: ERR_GET_LIB(code), reason: ERR_GET_REASON(code)))
      if let reason = unsafe ERR_reason_error_string(code) {
        texts.append(unsafe String(cString: reason))
      }
    }
    return CryptoFailure(entries: entries, text: texts.first ?? "unknown reason")
  }

  /// What the errors of a decryption by the named method mean.
  func keyError(method: String) -> KeyError {
    if contains(ERR_LIB_PROV, PROV_R_BAD_DECRYPT) || contains(ERR_LIB_EVP, EVP_R_BAD_DECRYPT) {
      return .wrongPassphrase
    }
    if contains(ERR_LIB_PROV, PROV_R_WRONG_FINAL_BLOCK_LENGTH)
      || contains(ERR_LIB_EVP, EVP_R_WRONG_FINAL_BLOCK_LENGTH)
      || contains(ERR_LIB_EVP, EVP_R_DECODE_ERROR)
    {
      return .damaged(.asn1)
    }
    // One wrong passphrase in 256 gives a valid padding, and behind it no private key.
    if contains(ERR_LIB_PKCS12, PKCS12_R_DECODE_ERROR) { return .wrongPassphrase }
    return .unsupportedEncryption("\(method) (\(text))")
  }

  private func contains(_ library: CInt, _ reason: CInt) -> Bool {
    entries.contains(Entry(library: library, reason: reason))
  }
}
