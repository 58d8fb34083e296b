import Signatures
import Testing
import Vectors

/// Keys and signatures of other makers; what made them stands with the vectors.
struct VerifyingKeyTests {
  private typealias Sample = VerifyingVectors

  private static func ecdsa() throws -> VerifyingKey {
    .ecdsa(try ECDSAPublicKey(pem: Sample.ecdsaKey))
  }

  private static func rsa() throws -> VerifyingKey {
    .rsa(try RSAPublicKey(pem: Sample.rsaKey))
  }

  @Test(arguments: [Sample.ecdsaByOpenSSL, Sample.ecdsaByPython])
  func `ECDSA signatures of OpenSSL and Python verify`(signature: String) throws {
    #expect(try Self.ecdsa().verifies(bytes(signature), of: Sample.message))
    #expect(!(try Self.ecdsa().verifies(bytes(signature), of: Sample.message + [0])))
    #expect(!(try Self.ecdsa().verifies(bytes(signature), of: [])))
  }

  @Test(arguments: [Sample.pssByOpenSSL, Sample.pssLongSaltByPython, Sample.pssNoSaltByPython])
  func `RSA-PSS signatures verify whatever the length of the salt`(signature: String) throws {
    #expect(try Self.rsa().verifies(bytes(signature), of: Sample.message))
    #expect(!(try Self.rsa().verifies(bytes(signature), of: Sample.message + [0])))
  }

  @Test(arguments: [Sample.pkcs1, Sample.pssWithSHA1Mask, Sample.pssWithSHA384])
  func `other paddings and hashes of the same RSA key are refused`(signature: String) throws {
    #expect(!(try Self.rsa().verifies(bytes(signature), of: Sample.message)))
  }

  @Test func `a signature with any one byte changed, cut or added is refused`() throws {
    for (key, text) in [
      (try Self.ecdsa(), Sample.ecdsaByOpenSSL), (try Self.rsa(), Sample.pssByOpenSSL),
    ] {
      let signature = bytes(text)
      for place in signature.indices {
        var changed = signature
        changed[place] ^= 1
        #expect(!key.verifies(changed, of: Sample.message), "byte \(place)")
      }
      #expect(!key.verifies(signature + [0], of: Sample.message))
      #expect(!key.verifies(Array(signature.dropLast()), of: Sample.message))
      #expect(!key.verifies([], of: Sample.message))
    }
  }

  @Test func `a signature of one kind is none of another`() throws {
    let ed25519 = VerifyingKey.ed25519(try PublicKey(hex: SampleKeys.firstPublic))
    for text in [Sample.ecdsaByOpenSSL, Sample.pssByOpenSSL] {
      #expect(!ed25519.verifies(bytes(text), of: Sample.message))
    }
    #expect(!(try Self.ecdsa().verifies(bytes(Sample.pssByOpenSSL), of: Sample.message)))
    #expect(!(try Self.rsa().verifies(bytes(Sample.ecdsaByOpenSSL), of: Sample.message)))
  }

  @Test func `an Ed25519 key verifies as the others do`() throws {
    let secret = try SampleKeys.first()
    let key = VerifyingKey.ed25519(try PublicKey(hex: SampleKeys.firstPublic.uppercased()))
    #expect(key.verifies(secret.sign(Sample.message).bytes, of: Sample.message))
    #expect(key.subjectPublicKeyInfo == secret.publicKey.subjectPublicKeyInfo)
  }

  @Test(arguments: [Sample.ecdsaCompressedKey, Sample.ecdsaExplicitKey])
  func `one point in another spelling is the same key`(pem: String) throws {
    let key = VerifyingKey.ecdsa(try ECDSAPublicKey(pem: pem))
    #expect(try key == Self.ecdsa())
    #expect(try key.subjectPublicKeyInfo == Self.ecdsa().subjectPublicKeyInfo)
    #expect(key.verifies(bytes(Sample.ecdsaByOpenSSL), of: Sample.message))
  }

  @Test(arguments: [
    (Sample.p384Key, KeyError.wrongAlgorithm(expected: "ECDSA P-256", found: "secp384r1")),
    (Sample.secp256k1Key, .wrongAlgorithm(expected: "ECDSA P-256", found: "secp256k1")),
    (Sample.rsaKey, .wrongAlgorithm(expected: "ECDSA P-256", found: "RSA")),
  ])
  func `only P-256 is a key of ECDSA`(pem: String, expected: KeyError) {
    #expect(throws: expected) { try ECDSAPublicKey(pem: pem) }
  }

  @Test(arguments: [
    (Sample.rsa1024Key, KeyError.wrongModulus(bits: 1024, allowed: 2048...16384)),
    (Sample.rsaExponent1Key, .weakExponent),
    (Sample.rsaEvenExponentKey, .weakExponent),
    (Sample.rsaPSSKey, .wrongAlgorithm(expected: "RSA", found: "RSA-PSS")),
    (Sample.ecdsaKey, .wrongAlgorithm(expected: "RSA", found: "prime256v1")),
  ])
  func `short and weak RSA keys and other kinds are refused`(pem: String, expected: KeyError) {
    #expect(throws: expected) { try RSAPublicKey(pem: pem) }
  }

  @Test(arguments: [
    ("", KeyError.unrecognized), ("00", .unrecognized), ("\u{0}", .unrecognized),
    ("-----BEGIN PUBLIC KEY-----\n", .damaged(.pem)),
    ("-----BEGIN PUBLIC KEY-----\n!!!!\n-----END PUBLIC KEY-----\n", .damaged(.base64)),
    ("-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----\n", .damaged(.asn1)),
    (
      "-----BEGIN RSA PUBLIC KEY-----\nMAA=\n-----END RSA PUBLIC KEY-----\n",
      .wrongKind(expected: "PUBLIC KEY", found: "RSA PUBLIC KEY")
    ),
    (Sample.ecdsaKey + "\n" + Sample.ecdsaKey, .severalKeys),
    (String(repeating: "#\n", count: 40_000), .tooLong(limit: 65_536)),
  ])
  func `text that is no PEM of one public key is refused`(text: String, expected: KeyError) {
    #expect(throws: expected) { try ECDSAPublicKey(pem: text) }
    #expect(throws: expected) { try RSAPublicKey(pem: text) }
  }

  /// RFC 5480: a point at infinity is one zero byte, and no key.
  @Test func `the point at infinity and a point off the curve are no keys`() throws {
    let info = try ECDSAPublicKey(pem: Sample.ecdsaKey).subjectPublicKeyInfo
    var off = info
    off[info.count - 1] ^= 1
    #expect(throws: KeyError.damaged(.asn1)) { try ECDSAPublicKey(subjectPublicKeyInfo: off) }
    let infinity = bytes("3019301306072a8648ce3d020106082a8648ce3d030107030200") + [0]
    #expect(throws: KeyError.self) { try ECDSAPublicKey(subjectPublicKeyInfo: infinity) }
    #expect(throws: KeyError.damaged(.asn1)) {
      try ECDSAPublicKey(subjectPublicKeyInfo: info + [0])
    }
  }

  @Test func `the digits of an Ed25519 key are 64`() {
    #expect(throws: KeyError.unrecognized) { try PublicKey(hex: "00") }
    #expect(throws: KeyError.unrecognized) {
      try PublicKey(hex: "+" + SampleKeys.firstPublic.dropFirst())
    }
    #expect(throws: KeyError.smallOrder) {
      try PublicKey(hex: "01" + String(repeating: "0", count: 62))
    }
  }
}
