import CCrypto

/// How an encrypted key file makes a key of a passphrase, and with how much work, as the file itself states it.
///
/// Whoever tries passphrases does that work for each; and so does whoever opens the file, for one that was made to cost
/// hours.
package enum KeyDerivation: Hashable, Sendable {
  /// RFC 7914: `cost` is N, `blockSize` r, `parallelism` p.
  case scrypt(cost: UInt64, blockSize: UInt64, parallelism: UInt64)
  /// RFC 8018 section 5.2.
  case pbkdf2(rounds: UInt64)
  /// RFC 8018 section 6.1 and PKCS#12, whose ciphers are of their time too.
  case old(rounds: UInt64)

  /// The memory that libcrypto gives scrypt at most.
  static let memoryLimit: UInt64 = 32 << 20
  /// Sixteen times what files made here take.
  static let scryptLimit: UInt64 = 1 << 21
  static let roundLimit: UInt64 = 10_000_000

  /// What keys that are made here use.
  static let own = KeyDerivation.scrypt(cost: 1 << 14, blockSize: 8, parallelism: 1)

  /// Whether the work is done in seconds and in 32 MiB.
  ///
  /// A file is opened only then; the answer costs nothing.
  package var isAffordable: Bool {
    switch self {
    case .scrypt(let cost, let blockSize, let parallelism):
      // As libcrypto counts it.
      product(128, blockSize, sum(cost, 2, parallelism)) <= Self.memoryLimit
        && product(cost, blockSize, parallelism) <= Self.scryptLimit
    case .pbkdf2(let rounds), .old(let rounds): rounds <= Self.roundLimit
    }
  }

  /// Whether many passphrases are tried in little time, as with the 2,048 rounds of `openssl pkey -aes256`.
  package var isWeak: Bool {
    switch self {
    case .scrypt(let cost, let blockSize, _): product(cost, blockSize) < 1 << 17
    case .pbkdf2(let rounds): rounds < 100_000
    case .old: true
    }
  }
}

/// The sum, or the largest number where that does not fit.
private func sum(_ terms: UInt64...) -> UInt64 {
  terms.reduce(0) { result, term in
    let (sum, overflow) = result.addingReportingOverflow(term)
    return overflow ? UInt64.max : sum
  }
}

/// The product, or the largest number where that does not fit.
private func product(_ factors: UInt64...) -> UInt64 {
  factors.reduce(1) { result, factor in
    let (product, overflow) = result.multipliedReportingOverflow(by: factor)
    return overflow ? UInt64.max : product
  }
}

extension KeyDerivation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .scrypt(let cost, let blockSize, let parallelism):
      "scrypt with N=\(cost), r=\(blockSize), p=\(parallelism)"
    case .pbkdf2(let rounds): "PBKDF2 with \(rounds) rounds"
    case .old(let rounds): "an old method with \(rounds) rounds"
    }
  }
}

extension KeyDerivation {
  /// Reads what an encrypted key states; nil for a method that is not known here.
  init?(of sealed: OpaquePointer) {
    let found = unsafe crypto_read_derivation(sealed)
    switch found.kind {
    case CInt(CRYPTO_SCRYPT):
      self = .scrypt(
        cost: found.cost,
        blockSize: found.block_size,
        parallelism: found.parallelism
      )
    case CInt(CRYPTO_PBKDF2): self = .pbkdf2(rounds: found.cost)
    case CInt(CRYPTO_PBE): self = .old(rounds: found.cost)
    default: return nil
    }
  }
}
