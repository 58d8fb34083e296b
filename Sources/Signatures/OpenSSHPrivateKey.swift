import CSodium

/// The private key format of OpenSSH (PROTOCOL.key), as far as it needs no passphrase.
///
/// The key derivation of encrypted ones, bcrypt_pbkdf, is in neither library; `ssh-keygen -p` removes and sets
/// passphrases.
enum OpenSSHPrivateKey {
  static let label = "OPENSSH PRIVATE KEY"
  private static let magic = Array("openssh-key-v1\0".utf8)
  /// The cipher and the key derivation of a plain key.
  private static let none = Array("none".utf8)
  private static let blockByteCount = 8

  /// What every file shows: whose key it is, and whether it needs a passphrase.
  struct Head {
    let publicKey: PublicKey
    let isEncrypted: Bool
  }

  /// Reads what stands before the secret part.
  static func head(_ contents: Span<UInt8>) throws(KeyError) -> Head {
    var reader = WireReader()
    return try head(contents, &reader)
  }

  private static func head(
    _ contents: Span<UInt8>,
    _ reader: inout WireReader
  ) throws(KeyError) -> Head {
    guard reader.literal(magic, in: contents),
      let cipher = reader.string(in: contents),
      let derivation = reader.string(in: contents),
      reader.string(in: contents) != nil,
      reader.number(in: contents) == 1,
      let blob = reader.string(in: contents)
    else { throw .damaged(.openSSH) }
    let isPlain =
      contents.extracting(cipher).equals(none) && contents.extracting(derivation).equals(none)
    return Head(
      publicKey: try PublicKey(openSSHBlob: contents.extracting(blob)),
      isEncrypted: !isPlain
    )
  }

  /// Reads a key that is not encrypted.
  static func key(_ contents: Span<UInt8>) throws(KeyError) -> SecretKey {
    var reader = WireReader()
    let head = try head(contents, &reader)
    let publicKey = head.publicKey
    guard !head.isEncrypted else { throw .openSSHPassphrase }
    guard let secrets = reader.string(in: contents), reader.offset == contents.count else {
      throw .damaged(.openSSH)
    }
    let seed = try seed(of: publicKey, in: contents.extracting(secrets))
    let key = try SecretKey(seed: seed)
    guard key.publicKey == publicKey else { throw .damaged(.openSSH) }
    return key
  }

  /// Writes `key` without encryption, with a comment that may be empty.
  static func contents(_ key: borrowing SecretKey, comment: String) -> SecretBytes {
    let publicKey = key.publicKey
    let check = wireNumber(randombytes_random())
    var head = magic + wireString(none) + wireString(none) + wireString([]) + wireNumber(1)
    head += wireString(publicKey.openSSHBlob)
    let start = check + check + publicKey.openSSHBlob + wireNumber(64)
    let end = publicKey.bytes + wireString(comment.utf8)
    let count = start.count + SecretKey.seedByteCount + end.count
    let padding = (count + blockByteCount - 1) / blockByteCount * blockByteCount - count
    head += wireNumber(UInt32(count + padding)) + start
    let tail = end + (0..<padding).map { UInt8($0 + 1) }
    let seed = key.seed()
    return SecretBytes(capacity: head.count + seed.count + tail.count) { room in
      for index in head.indices { room[index] = head[index] }
      seed.withBytes { seed in
        for index in seed.indices { room[head.count + index] = seed[index] }
      }
      for index in tail.indices { room[head.count + seed.count + index] = tail[index] }
      return room.count
    }
  }

  /// Reads the section that holds two check numbers, the key, a comment and padding.
  private static func seed(
    of key: PublicKey,
    in section: Span<UInt8>
  ) throws(KeyError) -> SecretBytes {
    var reader = WireReader()
    guard let check = reader.number(in: section), reader.number(in: section) == check,
      reader.literal(key.openSSHBlob, in: section),
      let pair = reader.string(in: section), pair.count == 64,
      section.extracting(pair).extracting(last: PublicKey.byteCount).equals(key.bytes),
      reader.string(in: section) != nil,
      isPadding(section.extracting(reader.offset..<section.count))
    else { throw .damaged(.openSSH) }
    return SecretBytes(
      copying: section.extracting(pair).extracting(first: SecretKey.seedByteCount)
    )
  }

  /// Whether the bytes are 1, 2, 3 … up to the end of a block.
  private static func isPadding(_ bytes: Span<UInt8>) -> Bool {
    bytes.count < blockByteCount && bytes.indices.allSatisfy { bytes[$0] == UInt8($0 + 1) }
  }
}
