import Signatures
import Testing
import Vectors

/// Encrypted keys whose files ask for more work than anybody needs.
struct KeyDerivationTests {
  @Test(arguments: [
    (KeyDerivation.scrypt(cost: 1 << 14, blockSize: 8, parallelism: 1), true, false),
    (.scrypt(cost: 1 << 15, blockSize: 8, parallelism: 1), false, false),
    (.scrypt(cost: 32_765, blockSize: 8, parallelism: 1), true, false),
    (.scrypt(cost: 1 << 16, blockSize: 8, parallelism: 1), false, false),
    // 1 GiB, as minisign asks for by default.
    (.scrypt(cost: 1 << 20, blockSize: 8, parallelism: 1), false, false),
    (.scrypt(cost: 1 << 14, blockSize: 8, parallelism: 16), true, false),
    (.scrypt(cost: 1 << 14, blockSize: 8, parallelism: 17), false, false),
    (.scrypt(cost: 1024, blockSize: 8, parallelism: 1), true, true),
    (.scrypt(cost: .max, blockSize: .max, parallelism: .max), false, false),
    (.pbkdf2(rounds: 2048), true, true),
    (.pbkdf2(rounds: 600_000), true, false),
    (.pbkdf2(rounds: 10_000_000), true, false),
    (.pbkdf2(rounds: 10_000_001), false, false),
    (.old(rounds: 600_000), true, true),
    (.old(rounds: .max), false, true),
  ])
  func `what a method costs decides whether it is used`(
    derivation: KeyDerivation,
    isAffordable: Bool,
    isWeak: Bool
  ) {
    #expect(derivation.isAffordable == isAffordable)
    #expect(derivation.isWeak == isWeak)
  }

  /// Hours of work, and more memory than there is: an answer at all means that none of it was done.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      KeyDerivation.scrypt(cost: 1 << 20, blockSize: 8, parallelism: 1),
      // Not hours, but more memory than libcrypto gives.
      .scrypt(cost: 1 << 15, blockSize: 8, parallelism: 1),
      .scrypt(cost: 1 << 14, blockSize: 8, parallelism: 1 << 20),
      .scrypt(cost: 1 << 40, blockSize: 1 << 20, parallelism: 1),
      .pbkdf2(rounds: 1 << 40),
      .pbkdf2(rounds: 0x7fff_ffff),
      .old(rounds: 0x7fff_ffff),
    ]
  )
  func `a file that asks for hours is refused before they are spent`(derivation: KeyDerivation)
    throws
  {
    let file = try PrivateKeyFile(text: Self.text(derivation))
    #expect(file.protection == .passphrase(derivation))
    #expect(throws: KeyError.costlyDerivation(derivation)) { try file.publicKey("secret") }
  }

  @Test func `the files that are made here cost a tenth of a second`() throws {
    let folder = try OwnFolder()
    let path = folder.path("key")
    try PrivateKeyFile.create(at: path, for: SecretKey(), encryptedWith: Passphrase("secret"))
    let file = try PrivateKeyFile(path: path)
    withExtendedLifetime(folder) {}
    #expect(
      file.protection == .passphrase(.scrypt(cost: 1 << 14, blockSize: 8, parallelism: 1))
    )
  }

  /// An encrypted key file whose method is `derivation`; what is encrypted is rubbish.
  private static func text(_ derivation: KeyDerivation) -> String {
    let salt = der(0x04, [UInt8](repeating: 7, count: 16))
    let cipher = der(
      0x30,
      oid("60864801650304012a") + der(0x04, [UInt8](repeating: 9, count: 16))
    )
    let method: [UInt8] =
      switch derivation {
      case .scrypt(let cost, let blockSize, let parallelism):
        pbes2(
          oid("2b06010401da47040b"),
          salt + number(cost) + number(blockSize) + number(parallelism),
          cipher
        )
      case .pbkdf2(let rounds):
        pbes2(
          oid("2a864886f70d01050c"),
          salt + number(rounds) + der(0x30, oid("2a864886f70d0209") + [5, 0]),
          cipher
        )
      // PBE-SHA1-3DES.
      case .old(let rounds):
        der(0x30, oid("2a864886f70d010c0103") + der(0x30, salt + number(rounds)))
      }
    let sealed = der(0x30, method + der(0x04, [UInt8](repeating: 1, count: 64)))
    return "-----BEGIN ENCRYPTED PRIVATE KEY-----\n\(Base64.encode(sealed))\n"
      + "-----END ENCRYPTED PRIVATE KEY-----\n"
  }

  private static func pbes2(
    _ function: [UInt8],
    _ parameters: [UInt8],
    _ cipher: [UInt8]
  ) -> [UInt8] {
    let derivation = der(0x30, function + der(0x30, parameters))
    return der(0x30, oid("2a864886f70d01050d") + der(0x30, derivation + cipher))
  }

  private static func der(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    contents.count < 128
      ? [tag, UInt8(contents.count)] + contents : [tag, 0x81, UInt8(contents.count)] + contents
  }

  private static func oid(_ digits: String) -> [UInt8] { der(0x06, bytes(digits)) }

  private static func number(_ value: UInt64) -> [UInt8] {
    let all = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
    var digits = Array(all.drop { $0 == 0 })
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return der(0x02, digits)
  }
}
