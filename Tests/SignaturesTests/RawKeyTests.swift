import Signatures
import SystemFiles
import Testing
import Vectors

/// Private keys without any form, and keys in DER.
struct RawKeyTests {
  let folder: OwnFolder
  init() throws { folder = try OwnFolder() }

  private static let seed = bytes(SampleKeys.firstSeed)
  private static let pair = bytes(SampleKeys.firstSeed + SampleKeys.firstPublic)

  private func key(_ contents: [UInt8]) throws -> PublicKey {
    var contents = contents
    return try SecretKey(rawForm: SecretBytes(wiping: &contents)).publicKey
  }

  private func secret(_ contents: [UInt8]) -> SecretBytes {
    var contents = contents
    return SecretBytes(wiping: &contents)
  }

  static let forms: [[UInt8]] = [
    seed, pair, Array(SampleKeys.firstSeed.utf8), Array(SampleKeys.firstSeed.uppercased().utf8),
    Array((SampleKeys.firstSeed + "\n").utf8), Array((" " + SampleKeys.firstSeed + "\r\n").utf8),
    Array((SampleKeys.firstSeed + SampleKeys.firstPublic + "\n").utf8),
    Array((Base64.encode(seed) + "\n").utf8), Array(Base64.encode(pair).utf8),
  ]

  @Test(arguments: forms)
  func `a seed is read in every form, with and without its public half`(contents: [UInt8]) throws {
    #expect(try key(contents).bytes == bytes(SampleKeys.firstPublic))
  }

  @Test(
    arguments: [
      ([], .unrecognized),
      (Array(seed.dropLast()), .unrecognized),
      (seed + [10], .unrecognized),
      (pair + [0], .unrecognized),
      (Array((SampleKeys.firstSeed + "0").utf8), .unrecognized),
      (Array((SampleKeys.firstSeed + " 00").utf8), .unrecognized),
      (Array(("\u{feff}" + SampleKeys.firstSeed).utf8), .byteOrderMark),
      (bytes(SampleKeys.firstSeed + SampleKeys.secondPublic), .damaged(.raw)),
      (Array((SampleKeys.firstSeed + SampleKeys.secondPublic).utf8), .damaged(.raw)),
    ] as [([UInt8], KeyError)]
  )
  func `what is no seed is refused with the reason`(contents: [UInt8], error: KeyError) {
    #expect(throws: error) { try key(contents) }
  }

  @Test func `a raw file is for its owner only`() throws {
    let path = folder.path("seed")
    try replaceFile(at: path, with: Self.seed, mode: 0o640)
    #expect(throws: KeyError.exposed(path: path, mode: 0o640)) {
      _ = try SecretKey(rawFile: path, allowingInsecurePermissions: false)
    }
    let key = try SecretKey(rawFile: path, allowingInsecurePermissions: true).publicKey
    #expect(key.bytes == bytes(SampleKeys.firstPublic))
  }

  @Test func `keys in DER are read by what is in them`() throws {
    let plain = bytes("302e020100300506032b657004220420" + SampleKeys.firstSeed)
    let key = try SampleKeys.first().publicKey
    let file = try PrivateKeyFile(text: secret(plain))
    #expect(file.form == .pkcs8DER)
    #expect(file.protection == .none)
    #expect(try file.publicKey() == key)
    #expect(try PublicKey(text: key.subjectPublicKeyInfo) == key)
    #expect(throws: KeyError.wrongKind(expected: "PUBLIC KEY", found: "PRIVATE KEY")) {
      try PublicKey(text: plain)
    }
    #expect(throws: KeyError.wrongKind(expected: "PRIVATE KEY", found: "PUBLIC KEY")) {
      _ = try PrivateKeyFile(text: secret(key.subjectPublicKeyInfo))
    }
    // A certificate may be as long.
    let other = bytes("30821388") + [UInt8](repeating: 0x30, count: 5_000)
    #expect(throws: KeyError.unrecognized) { try PublicKey(text: other) }
    for count in plain.indices {
      #expect(throws: KeyError.self, "\(count)") {
        try PrivateKeyFile(text: secret(Array(plain[..<count]))).publicKey()
      }
    }
  }

  @Test(
    .vectors(.cryptography),
    arguments: [("ed25519-pkcs8.der", nil), ("ed25519-pkcs8-enc.der", "password")]
  )
  func `a DER file of pyca opens and holds the key of the file beside it`(
    name: String,
    passphrase: String?
  ) throws {
    let place = "asymmetric/Ed25519"
    let file = try PrivateKeyFile(
      path: VectorFolder.cryptography.path("\(place)/\(name)"),
      allowingInsecurePermissions: true
    )
    #expect(file.isEncrypted == (passphrase != nil))
    let key = try file.publicKey(passphrase)
    #expect(try PublicKey(file: VectorFolder.cryptography.path("\(place)/ed25519-pub.der")) == key)
  }

  @Test(.vectors(.pycryptodome), arguments: ["private", "private_p8", "private_p8_2"])
  func `a DER file of PyCryptodome opens and holds the key of the file beside it`(
    name: String
  ) throws {
    let place = "PublicKey/ECC/ecc_ed25519"
    let file = try PrivateKeyFile(
      path: VectorFolder.pycryptodome.path("\(place)_\(name).der"),
      allowingInsecurePermissions: true
    )
    let key = try file.publicKey(file.isEncrypted ? "secret" : nil)
    #expect(
      try PublicKey(file: VectorFolder.pycryptodome.path("\(place)_public.der")) == key
    )
  }
}
