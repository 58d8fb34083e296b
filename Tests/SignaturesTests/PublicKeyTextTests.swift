import Signatures
import Testing
import Vectors

struct PublicKeyTextTests {
  static let pem =
    "-----BEGIN PUBLIC KEY-----\n\(SampleKeys.firstInfo)\n-----END PUBLIC KEY-----\n"
  static let shortForm = "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="

  @Test(arguments: [
    pem,
    "# release\n# \(SampleKeys.firstFingerprint)\n\n" + pem,
    pem.split(separator: "\n").joined(separator: "\r\n"),
    pem.replacing("3Bl", with: "3\nBl"),
    shortForm,
    shortForm.replacing("/", with: "_"),
    "  \(shortForm)\r\n",
    "ssh-ed25519 \(SampleKeys.firstBlob)",
    "ssh-ed25519 \(SampleKeys.firstBlob) release@example.com with words\n",
    "# the key of the release\nssh-ed25519\t\(SampleKeys.firstBlob)\n",
    SampleKeys.firstPublic,
    SampleKeys.firstPublic.uppercased() + "\n",
  ])
  func `each form of a public key gives the same key`(text: String) throws {
    let key = try PublicKey(text: text)
    #expect(key.bytes == bytes(SampleKeys.firstPublic))
    #expect(key.fingerprint.description == SampleKeys.firstFingerprint)
  }

  static let refused: [(String, KeyError)] = [
    ("", .unrecognized),
    ("# only a comment\n", .unrecognized),
    ("release.pub", .unrecognized),
    ("MIT License\n\nCopyright\n", .unrecognized),
    (String(SampleKeys.firstPublic.dropLast()), .unrecognized),
    (SampleKeys.firstPublic + "0", .unrecognized),
    (String(SampleKeys.firstPublic.dropLast()) + "g", .unrecognized),
    ("\u{feff}" + pem, .byteOrderMark),
    (pem + pem, .severalKeys),
    (shortForm + "\n" + shortForm, .severalKeys),
    ("note\n" + pem, .unrecognized),
    (shortForm + "\n" + pem, .severalKeys),
    (pem + "note\n", .damaged(.pem)),
    ("-----BEGIN PUBLIC KEY-----\n\(SampleKeys.firstInfo)\n", .damaged(.pem)),
    (pem.replacing("END PUBLIC", with: "END PRIVATE"), .damaged(.pem)),
    (pem.replacing("=", with: ""), .damaged(.base64)),
    (pem.replacing("=", with: "*"), .damaged(.base64)),
    (
      pem.replacing("PUBLIC", with: "PRIVATE"),
      .wrongKind(expected: "PUBLIC KEY", found: "PRIVATE KEY")
    ),
    (String(shortForm.dropLast()), .damaged(.base64)),
    ("ed25519:" + SampleKeys.firstInfo, .wrongLength(expected: 32, found: 44)),
    ("ssh-ed25519", .unrecognized),
    ("ssh-ed25519 *", .damaged(.base64)),
    ("ssh-ed25519 \(SampleKeys.firstInfo)", .damaged(.openSSH)),
    ("ssh-rsa AAAA", .notEd25519(found: "ssh-rsa")),
    (
      "sk-ssh-ed25519@openssh.com AAAA", .notEd25519(found: "sk-ssh-ed25519@openssh.com")
    ),
    ("restrict ssh-ed25519 \(SampleKeys.firstBlob)", .unrecognized),
  ]

  @Test(arguments: refused)
  func `a text that is not one public key is refused with the reason`(
    text: String,
    error: KeyError
  ) {
    #expect(throws: error) { try PublicKey(text: text) }
  }

  @Test func `a key whose bit string claims unused bits is refused`() throws {
    var info = try #require(Base64.decode(SampleKeys.firstInfo))
    info[11] = 1
    #expect(throws: KeyError.damaged(.asn1)) { try PublicKey(subjectPublicKeyInfo: info) }
  }

  @Test func `bytes after the key are refused`() throws {
    let info = try #require(Base64.decode(SampleKeys.firstInfo))
    #expect(throws: KeyError.wrongLength(expected: 32, found: 33)) {
      try PublicKey(subjectPublicKeyInfo: info + [0])
    }
    let blob = try #require(Base64.decode(SampleKeys.firstBlob))
    #expect(throws: KeyError.damaged(.openSSH)) {
      try PublicKey(text: "ssh-ed25519 \(Base64.encode(blob + [0]))")
    }
  }

  @Test func `an OpenSSH line is judged by its blob, not by its first word`() throws {
    let blob = try #require(Base64.decode(SampleKeys.firstBlob))
    var other = blob
    other[14] = UInt8(ascii: "8")
    #expect(throws: KeyError.notEd25519(found: "ssh-ed25518")) {
      try PublicKey(text: "ssh-ed25519 \(Base64.encode(other))")
    }
  }

  @Test func `a file names the key and its owner before the PEM block`() throws {
    let key = try SampleKeys.first().publicKey
    let text = key.pem(name: "acme release")
    #expect(text == "# acme release\n# \(SampleKeys.firstFingerprint)\n" + Self.pem)
    #expect(try PublicKey(text: text) == key)
  }

  @Test func `a name cannot leave its comment line`() throws {
    let key = try SampleKeys.first().publicKey
    let text = key.pem(name: "a\n-----BEGIN PUBLIC KEY-----\r\u{2028}\u{1b}[2Jb\u{202e}")
    #expect(text.hasPrefix("# a -----BEGIN PUBLIC KEY-----   [2Jb \n# SHA256:"))
    #expect(try PublicKey(text: text) == key)
  }

  @Test func `the written forms are read again`() throws {
    let key = try SampleKeys.first().publicKey
    #expect(key.shortForm == Self.shortForm)
    #expect(key.openSSHLine == "ssh-ed25519 \(SampleKeys.firstBlob)")
    #expect(try PublicKey(text: key.shortForm) == key)
    #expect(try PublicKey(text: key.openSSHLine) == key)
    #expect(try PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo) == key)
  }
}
