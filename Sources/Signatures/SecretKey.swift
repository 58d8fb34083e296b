import CSodium

/// An Ed25519 private key in guarded memory; nothing prints or compares it.
package struct SecretKey: ~Copyable {
  /// The number of bytes of the seed, from which RFC 8032 derives the rest.
  package static let seedByteCount = 32

  /// The seed, then the public key: the form that libsodium signs with.
  private let keyPair: SecretBytes
  package let publicKey: PublicKey

  /// Makes a new key from the random numbers of the system.
  package init() {
    self.init(
      checked: SecretBytes(capacity: Self.seedByteCount) { room in
        unsafe room.withUnsafeMutableBytes { room in
          if let start = room.baseAddress { unsafe randombytes_buf(start, room.count) }
        }
        return Self.seedByteCount
      }
    )
  }

  /// Derives the key of a seed.
  ///
  /// - Throws: ``KeyError/wrongLength(expected:found:)`` unless the seed has 32 bytes.
  package init(seed: borrowing SecretBytes) throws(KeyError) {
    guard seed.count == Self.seedByteCount else {
      throw .wrongLength(expected: Self.seedByteCount, found: seed.count)
    }
    self.init(checked: seed)
  }

  private init(checked seed: borrowing SecretBytes) {
    var publicBytes = [UInt8](repeating: 0, count: PublicKey.byteCount)
    keyPair = SecretBytes(capacity: Int(crypto_sign_SECRETKEYBYTES)) { room in
      seed.withBytes { seed in
        unsafe room.withUnsafeMutableBufferPointer { room in
          unsafe seed.withUnsafeBufferPointer { seed in
            guard let start = room.baseAddress, let seed = seed.baseAddress else {
              preconditionFailure("a seed and a key have bytes")
            }
            unsafe crypto_sign_seed_keypair(&publicBytes, start, seed)
          }
        }
      }
      return Int(crypto_sign_SECRETKEYBYTES)
    }
    publicKey = PublicKey(checked: publicBytes)
  }

  /// Copies the seed, for a key file.
  func seed() -> SecretBytes {
    keyPair.withBytes { SecretBytes(copying: $0.extracting(first: Self.seedByteCount)) }
  }
}

extension SecretKey: Signer {
  /// Signs `message`; the same message always gets the same signature.
  package borrowing func sign(_ message: [UInt8]) -> Signature {
    var signature = [UInt8](repeating: 0, count: Signature.byteCount)
    keyPair.withBytes { keyPair in
      let status = unsafe keyPair.withUnsafeBufferPointer { keyPair in
        guard let keyPair = keyPair.baseAddress else { return CInt(-1) }
        return unsafe crypto_sign_detached(
          &signature,
          nil,
          message,
          UInt64(message.count),
          keyPair
        )
      }
      precondition(status == 0, "libsodium signs any message")
    }
    return Signature(checked: signature)
  }
}
