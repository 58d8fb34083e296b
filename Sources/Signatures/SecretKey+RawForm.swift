import CSodium

extension SecretKey {
  /// Takes a private key that is nothing but its bytes: the seed, or the seed and the public key as libsodium joins them.
  ///
  /// The bytes themselves, or as hexadecimal digits or base64 with white space around.
  /// - Throws: ``KeyError/unrecognized`` for anything else, ``KeyError/damaged(_:)`` if the public key is another seed's.
  package init(rawForm contents: borrowing SecretBytes) throws(KeyError) {
    let pair = try contents.withBytes { text throws(KeyError) in try rawBytes(of: text) }
    let seed = pair.withBytes { SecretBytes(copying: $0.extracting(first: Self.seedByteCount)) }
    let key = try SecretKey(seed: seed)
    let isMatching = pair.withBytes {
      let rest = $0.extracting(droppingFirst: Self.seedByteCount)
      return rest.isEmpty || rest.equals(key.publicKey.bytes)
    }
    guard isMatching else { throw .damaged(.raw) }
    self = key
  }

  /// Takes the raw private key in the file at `path`, as ``init(rawForm:)`` does.
  ///
  /// - Throws: ``KeyError``, also for a file that others may read or own, as ``PrivateKeyFile`` does.
  package init(rawFile path: String, allowingInsecurePermissions: Bool) throws(KeyError) {
    let file = try KeyText.open(path)
    let key = try SecretKey(rawForm: try KeyText.read(file))
    if !allowingInsecurePermissions { try requirePrivate(file, at: path) }
    self = key
  }
}

private func isRawCount(_ count: Int) -> Bool {
  count == SecretKey.seedByteCount || count == Int(crypto_sign_SECRETKEYBYTES)
}

private func rawBytes(of text: Span<UInt8>) throws(KeyError) -> SecretBytes {
  if text.startsWithByteOrderMark { throw .byteOrderMark }
  let digits = text.extracting(withoutSpace(text))
  var isRead = false
  let bytes = SecretBytes(capacity: max(text.count, SecretKey.seedByteCount)) { room in
    if digits.count % 2 == 0, isRawCount(digits.count / 2), let count = fromHex(digits, &room) {
      isRead = true
      return count
    }
    if digits.count % 4 == 0, let count = Base64.decode(digits, into: &room), isRawCount(count) {
      isRead = true
      return count
    }
    guard isRawCount(text.count) else { return 0 }
    for index in text.indices { room[index] = text[index] }
    isRead = true
    return text.count
  }
  guard isRead else { throw .unrecognized }
  return bytes
}

/// Reads hexadecimal digits in constant time; nil if one of them is none.
///
/// The C function is `sodium_hex2bin`.
private func fromHex(_ digits: Span<UInt8>, _ output: inout MutableSpan<UInt8>) -> Int? {
  var count = 0
  let status = unsafe digits.withUnsafeBytes { digits in
    unsafe output.withUnsafeMutableBufferPointer { output -> CInt in
      guard let start = output.baseAddress,
        let text = unsafe digits.bindMemory(to: CChar.self).baseAddress
      else { return -1 }
      return unsafe sodium_hex2bin(start, output.count, text, digits.count, nil, &count, nil)
    }
  }
  return status == 0 && 2 * count == digits.count ? count : nil
}

private func withoutSpace(_ text: Span<UInt8>) -> Range<Int> {
  var (start, end) = (0, text.count)
  while start < end, isWhiteSpace(text[start]) { start += 1 }
  while end > start, isWhiteSpace(text[end - 1]) { end -= 1 }
  return start..<end
}

private func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte }
