import Signatures
import SystemFiles
import Testing
import Vectors

/// What we write, OpenSSL reads; what OpenSSL writes, we read.
@Suite(.enabled(if: InstalledTool.openssl != nil, "openssl is not installed"))
struct OpenSSLTests {
  let folder: OwnFolder
  init() throws { folder = try OwnFolder() }

  /// Runs openssl, in whose arguments `@name` stands for a file of the folder, and expects success.
  @discardableResult
  private func openssl(_ command: String, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> String
  {
    let openssl = try #require(InstalledTool.openssl)
    let arguments = command.split(separator: " ").map {
      $0.hasPrefix("@") ? folder.path(String($0.dropFirst())) : String($0)
    }
    let (exitCode, output) = try openssl.run(arguments)
    #expect(exitCode == 0, "openssl \(command): \(output)", sourceLocation: sourceLocation)
    return output
  }

  private func publicKey(of name: String, _ passphrase: String? = nil) throws -> PublicKey {
    try PrivateKeyFile(path: folder.path(name)).publicKey(passphrase)
  }

  static let encryptions = [
    "pkey -in @plain -aes256",
    "pkey -in @plain -aes128",
    "pkey -in @plain -des3",
    "pkcs8 -topk8 -in @plain -scrypt",
    "pkcs8 -topk8 -in @plain -scrypt -scrypt_N 1024 -scrypt_r 4 -scrypt_p 2",
    "pkcs8 -topk8 -in @plain -v2 aes-256-cbc -v2prf hmacWithSHA256 -iter 600000",
    "pkcs8 -topk8 -in @plain -v2 aes-192-cbc -v2prf hmacWithSHA512 -iter 1000",
    "pkcs8 -topk8 -in @plain -v2 camellia-256-cbc",
    "pkcs8 -topk8 -in @plain -v1 PBE-SHA1-3DES",
  ]

  @Test(arguments: encryptions)
  func `what openssl encrypts opens with its passphrase alone`(command: String) throws {
    try openssl("genpkey -algorithm ed25519 -out @plain")
    try openssl("pkey -in @plain -pubout -out @public")
    try openssl("\(command) -passout pass:secret -out @key")
    let expected = try PublicKey(file: folder.path("public"))
    #expect(try publicKey(of: "plain") == expected)
    #expect(try PrivateKeyFile(path: folder.path("key")).isEncrypted == true)
    #expect(try publicKey(of: "key", "secret") == expected)
    #expect(throws: KeyError.wrongPassphrase) { try publicKey(of: "key", "secreT") }
    #expect(throws: KeyError.passphraseNeeded) { try publicKey(of: "key") }
  }

  @Test func `what we write opens in openssl`() throws {
    let key = SecretKey()
    try PrivateKeyFile.create(at: folder.path("plain"), for: key, encryptedWith: nil)
    try PrivateKeyFile.create(
      at: folder.path("key"),
      for: key,
      encryptedWith: Passphrase("pässwörd")
    )
    for command in ["pkey -in @plain", "pkey -in @key -passin pass:pässwörd"] {
      try openssl("\(command) -pubout -out @public")
      #expect(try PublicKey(file: folder.path("public")) == key.publicKey)
    }
    try replaceFile(
      at: folder.path("public"),
      with: Array(key.publicKey.pem(name: "a name").utf8),
      mode: 0o644
    )
    try openssl("pkey -pubin -in @public -out @again")
    #expect(try PublicKey(file: folder.path("again")) == key.publicKey)
  }

  @Test(arguments: [1, 64, 100_000])
  func `signatures verify in both directions, and are the same`(count: Int) throws {
    let key = SecretKey()
    let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) }
    try PrivateKeyFile.create(at: folder.path("key"), for: key, encryptedWith: nil)
    try replaceFile(at: folder.path("message"), with: message, mode: 0o644)
    try replaceFile(at: folder.path("ours"), with: key.sign(message).bytes, mode: 0o644)
    try replaceFile(
      at: folder.path("public"),
      with: Array(key.publicKey.pem(name: "key").utf8),
      mode: 0o644
    )
    try openssl("pkeyutl -verify -pubin -inkey @public -rawin -in @message -sigfile @ours")
    try openssl("pkeyutl -sign -inkey @key -rawin -in @message -out @theirs")
    let theirs = try #require(Signature(bytes: try folder.contents("theirs")))
    #expect(key.publicKey.verifies(theirs, of: message))
    #expect(theirs == key.sign(message))
  }

  @Test(arguments: [
    ("genpkey -algorithm rsa -pkeyopt rsa_keygen_bits:1024", "rsaEncryption"),
    ("genpkey -algorithm ec -pkeyopt ec_paramgen_curve:P-256", "id-ecPublicKey"),
    ("genpkey -algorithm x25519", "X25519"),
    ("genpkey -algorithm ed448", "ED448"),
  ])
  func `a key of another algorithm is refused by name`(command: String, name: String) throws {
    try openssl("\(command) -out @plain")
    try openssl("pkey -in @plain -pubout -out @public")
    try openssl("pkey -in @plain -aes256 -passout pass:secret -out @key")
    #expect(throws: KeyError.notEd25519(found: name)) { try publicKey(of: "plain") }
    #expect(throws: KeyError.notEd25519(found: name)) { try publicKey(of: "key", "secret") }
    #expect(throws: KeyError.notEd25519(found: name)) {
      try PublicKey(file: folder.path("public"))
    }
  }

  /// CBC alone would let some changed bytes through, as another key.
  @Test func `no changed bit of an encrypted file gives another key`() throws {
    let key = try SampleKeys.first()
    try PrivateKeyFile.create(at: folder.path("plain"), for: key, encryptedWith: nil)
    try openssl(
      "pkcs8 -topk8 -in @plain -v2 aes-256-cbc -iter 1 -passout pass:secret -outform der -out @der"
    )
    let contents = try folder.contents("der")
    var refused = 0
    for bit in 0..<8 * contents.count {
      var changed = contents
      changed[bit / 8] ^= 1 << (bit % 8)
      let text =
        "# \(SampleKeys.firstFingerprint)\n-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
        + Base64.encode(changed) + "\n-----END ENCRYPTED PRIVATE KEY-----\n"
      do {
        #expect(try PrivateKeyFile(text: text).publicKey("secret") == key.publicKey, "bit \(bit)")
      } catch is KeyError {
        refused += 1
      }
    }
    #expect(refused > 8 * contents.count * 9 / 10)
  }
}
