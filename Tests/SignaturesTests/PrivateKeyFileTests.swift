import Foundation
import Signatures
import SystemFiles
import Testing
import Vectors

struct PrivateKeyFileTests {
  /// The first key of RFC 8032 in PKCS#8.
  static let plain =
    "-----BEGIN PRIVATE KEY-----\n"
    + "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    + "-----END PRIVATE KEY-----\n"

  let folder: OwnFolder
  init() throws { folder = try OwnFolder() }

  private func write(_ text: String, mode: UInt32 = 0o600) throws -> String {
    try replaceFile(at: folder.path("key"), with: Array(text.utf8), mode: mode)
    return folder.path("key")
  }

  @Test func `an encrypted file opens with its passphrase alone`() throws {
    let path = folder.path("release.key")
    let key = try SampleKeys.first()
    try PrivateKeyFile.create(at: path, for: key, encryptedWith: Passphrase("secret"))
    let file = try PrivateKeyFile(path: path)
    #expect(file.isEncrypted == true)
    #expect(file.namedKey == key.publicKey.fingerprint)
    #expect(try file.publicKey("secret") == key.publicKey)
    #expect(try file.open(with: Passphrase("secret")).sign([1]) == key.sign([1]))
    #expect(throws: KeyError.passphraseNeeded) { try file.publicKey() }
    #expect(throws: KeyError.wrongPassphrase) { try file.publicKey("Secret") }
    #expect(throws: KeyError.wrongPassphrase) { try file.publicKey("secret\n") }
  }

  @Test func `an encrypted file does not hold the seed, and is another each time`() throws {
    let key = try SampleKeys.first()
    var texts: [String] = []
    for name in ["one", "other"] {
      let path = folder.path(name)
      try PrivateKeyFile.create(at: path, for: key, encryptedWith: Passphrase("secret"))
      texts.append(String(decoding: try folder.contents(name), as: UTF8.self))
    }
    #expect(texts[0] != texts[1])
    let digits = texts[0]
      .split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix("-") }.joined()
    let contents = try #require(Base64.decode(digits))
    #expect(contents.firstRange(of: bytes(SampleKeys.firstSeed)) == nil)
    for part in [
      "06092a864886f70d01050d",  // PBES2
      "06092b06010401da47040b",  // scrypt
      "02024000020108020101",  // N = 2^14, r = 8, p = 1
      "060960864801650304012a",  // AES-256-CBC
    ] {
      #expect(contents.firstRange(of: bytes(part)) != nil, "\(part)")
    }
  }

  @Test func `an unencrypted file opens without a passphrase and with any`() throws {
    let path = folder.path("release.key")
    let key = try SampleKeys.first()
    try PrivateKeyFile.create(at: path, for: key, encryptedWith: nil)
    let file = try PrivateKeyFile(path: path)
    #expect(file.isEncrypted == false)
    #expect(try file.publicKey() == key.publicKey)
    #expect(try file.publicKey("anything") == key.publicKey)
    let expected = "# \(SampleKeys.firstFingerprint)\n" + Self.plain
    #expect(String(decoding: try folder.contents("release.key"), as: UTF8.self) == expected)
  }

  @Test func `an OpenSSH file without passphrase opens`() throws {
    let path = folder.path("id")
    let key = try SampleKeys.second()
    try PrivateKeyFile.createOpenSSH(at: path, for: key, comment: "release@example.com")
    #expect(try PrivateKeyFile(path: path).publicKey() == key.publicKey)
  }

  /// Which call finds the other file depends on the file system.
  private func isAboutExistence(_ error: any Error) -> Bool {
    guard case KeyError.unwritable(let error) = error else { return false }
    return error.code == EEXIST
  }

  @Test func `a new file is for its owner only and replaces nothing`() throws {
    let path = folder.path("release.key")
    let key = SecretKey()
    try PrivateKeyFile.create(at: path, for: key, encryptedWith: nil)
    let before = try folder.contents("release.key")
    #expect(try OpenFile(reading: path).status().mode == 0o600)
    #expect {
      try PrivateKeyFile.create(at: path, for: key, encryptedWith: nil)
    } throws: {
      isAboutExistence($0)
    }
    #expect(try folder.contents("release.key") == before)
  }

  @Test func `a link in the place of a new file is not followed`() throws {
    let target = folder.path("target")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("release.key"),
      withDestinationPath: target
    )
    let path = folder.path("release.key")
    #expect {
      try PrivateKeyFile.create(at: path, for: SecretKey(), encryptedWith: nil)
    } throws: {
      isAboutExistence($0)
    }
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test func `a public key in its place is named as one, whoever can read it`() throws {
    let path = try write(PublicKeyTextTests.pem, mode: 0o644)
    #expect(throws: KeyError.wrongKind(expected: "PRIVATE KEY", found: "PUBLIC KEY")) {
      _ = try PrivateKeyFile(path: path)
    }
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o644, 0o666, 0o777] as [UInt32])
  func `a file that others have access to is refused unless that is allowed`(
    mode: UInt32
  ) throws {
    let path = try write(Self.plain, mode: mode)
    #expect(throws: KeyError.exposed(path: path, mode: mode)) {
      _ = try PrivateKeyFile(path: path)
    }
    let file = try PrivateKeyFile(path: path, allowingInsecurePermissions: true)
    #expect(try file.publicKey().bytes == bytes(SampleKeys.firstPublic))
  }

  @Test(arguments: [0o600, 0o400, 0o700] as [UInt32])
  func `a file for its owner only is accepted`(mode: UInt32) throws {
    let path = try write(Self.plain, mode: mode)
    #expect(try PrivateKeyFile(path: path).publicKey().bytes == bytes(SampleKeys.firstPublic))
  }

  @Test(.enabled(if: FileStatus.currentUser == 0, "only root gives files away"))
  func `a file of another user is refused unless that is allowed`() throws {
    let path = try write(Self.plain)
    try FileManager.default.setAttributes([.ownerAccountID: 12345], ofItemAtPath: path)
    #expect(throws: KeyError.foreign(path: path, owner: 12345, user: 0)) {
      _ = try PrivateKeyFile(path: path)
    }
    _ = try PrivateKeyFile(path: path, allowingInsecurePermissions: true)
  }

  @Test func `a missing file, a folder and an endless file are refused`() throws {
    let missing = folder.path("missing")
    #expect(throws: KeyError.unreadable(SystemError("open", code: ENOENT, path: missing))) {
      _ = try PrivateKeyFile(path: missing)
    }
    #expect(throws: KeyError.unreadable(SystemError("read", code: EISDIR))) {
      _ = try PrivateKeyFile(path: "/", allowingInsecurePermissions: true)
    }
    #expect(throws: KeyError.tooLong(limit: 65536)) {
      _ = try PrivateKeyFile(path: "/dev/zero", allowingInsecurePermissions: true)
    }
  }

  static let refused: [(String, KeyError)] = [
    ("", .unrecognized),
    (SampleKeys.firstSeed, .unrecognized),
    ("\u{feff}" + plain, .byteOrderMark),
    (plain + plain, .severalKeys),
    (plain.replacing("-----END PRIVATE KEY-----\n", with: ""), .damaged(.pem)),
    (plain.replacing("KEY-----\nMC4", with: "KEY-----\nMC4*"), .damaged(.base64)),
    (plain.replacing("n9g", with: "n9"), .damaged(.base64)),
    (plain.replacing("MC4C", with: "MC0C"), .damaged(.asn1)),
    (plain.replacing("rn9g", with: "rn9gAAAA"), .damaged(.asn1)),
    (plain.replacing("BCIEIJ1h", with: "BCIFIJ1h"), .damaged(.asn1)),
    // The object identifiers of X25519 and X448.
    (plain.replacing("K2Vw", with: "K2Vu"), .notEd25519(found: "X25519")),
    (plain.replacing("K2Vw", with: "K2Vv"), .notEd25519(found: "X448")),
    (PublicKeyTextTests.pem, .wrongKind(expected: "PRIVATE KEY", found: "PUBLIC KEY")),
    (
      plain.replacing("PRIVATE", with: "EC PRIVATE"),
      .wrongKind(expected: "PRIVATE KEY", found: "EC PRIVATE KEY")
    ),
    (plain.replacing("PRIVATE", with: "ENCRYPTED PRIVATE"), .damaged(.asn1)),
    (plain.replacing("PRIVATE", with: "OPENSSH PRIVATE"), .damaged(.openSSH)),
    (
      plain.replacing("KEY-----\nMC4", with: "KEY-----\nProc-Type: 4,ENCRYPTED\n\nMC4"),
      .unsupportedEncryption("traditional PEM encryption")
    ),
  ]

  @Test(arguments: refused)
  func `a text that is not one private key is refused with the reason`(
    text: String,
    error: KeyError
  ) {
    #expect(throws: error) { try PrivateKeyFile(text: text).publicKey("secret") }
  }

  @Test func `a file that holds another key than its comment names is refused`() throws {
    let text = "# \(SampleKeys.secondFingerprint)\n" + Self.plain
    let (expected, found) = (
      try SampleKeys.second().publicKey.fingerprint, try SampleKeys.first().publicKey.fingerprint
    )
    #expect(throws: KeyError.otherKey(expected: expected, found: found)) {
      try PrivateKeyFile(text: text).publicKey()
    }
  }

  @Test func `comments and Windows line ends do not matter`() throws {
    let text = "# my key\n\n" + Self.plain + "\n# end"
    for text in [text, text.replacing("\n", with: "\r\n")] {
      #expect(
        try PrivateKeyFile(text: text).publicKey().bytes == bytes(SampleKeys.firstPublic)
      )
    }
  }
}
