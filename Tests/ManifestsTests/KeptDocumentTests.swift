import Manifests
import Signatures
import Testing

/// What an export never takes the place of, by its content alone.
struct KeptDocumentTests {
  private static let base64 = String(repeating: "A", count: 44)
  private static let longBase64 = String(repeating: "A", count: 212)

  @Test(arguments: [
    ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", KeptDocument.privateKey),
    ("-----BEGIN ENCRYPTED PRIVATE KEY-----\n", .privateKey),
    ("Bag Attributes\n-----BEGIN OPENSSH PRIVATE KEY-----\n", .privateKey),
    ("-----BEGIN EC PRIVATE KEY-----\r\n", .privateKey),
    ("untrusted comment: minisign encrypted secret key\n\(longBase64)\n", .privateKey),
    ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", .publicKey),
    ("ssh-ed25519 AAAA somebody\n", .publicKey),
    ("# mine\n\nssh-rsa AAAA somebody\n", .publicKey),
    ("release@example.com namespaces=\"sealift\" ssh-ed25519 AAAA\n", .publicKey),
    ("ed25519:AAAA\n", .publicKey),
    (" ed25519:AAAA\n", .publicKey),
    ("ssh-ed25519\tAAAA\n", .publicKey),
    ("-----BEGIN PGP PRIVATE KEY BLOCK-----\n", .privateKey),
    ("-----BEGIN PGP PUBLIC KEY BLOCK-----\n", .publicKey),
    (
      "untrusted comment: minisign public key 1\n\(String(base64.prefix(56)))AAAAAAAAAAAA\n",
      .publicKey
    ),
    (#"{"payload":"e30=","payloadType":"x","signatures":[]}"#, .signedDocument),
    (#"{"signatures":[],"signed":{"_type":"root"}}"#, .signedDocument),
    (#"{"schema":"sealift.trust/1","keys":{},"rules":[]}"#, .configuration),
    (String(repeating: "f", count: 64), .rawKey),
    (String(repeating: "\u{1}", count: 32), .rawKey),
  ])
  func `keys, manifests and policies are known`(text: String, document: KeptDocument) {
    #expect(KeptDocument(Array(text.utf8)) == document)
  }

  @Test func `a raw key in digits is known, with white space around`() {
    let hex = String(repeating: "f", count: 64)
    for count in [32, 64] {
      let base64 = Base64.encode([UInt8](repeating: 7, count: count))
      for text in ["\(base64)", "\(base64)\n", " \(hex.prefix(count))\(hex.prefix(count))\r\n"] {
        #expect(KeptDocument(Array(text.utf8)) == .rawKey, "\(text)")
      }
    }
    #expect(KeptDocument(Array("\(hex.dropLast())\n \n".utf8)) == nil)
  }

  @Test(arguments: [
    "", "precious", "{}", "[]", #"{"bomFormat":"CycloneDX"}"#, #"{"schema":"other/1"}"#,
    "<?xml version=\"1.0\"?><metalink></metalink>", "0123  a.gguf\n", "0123  ssh-a.onnx\n",
    "0123  ed25519:a\n", "see ssh-keygen\n",
    "untrusted comment: x\n",
    "-----BEGIN CERTIFICATE-----\n", "-----BEGIN SSH SIGNATURE-----\n",
  ])
  func `any other text may be replaced`(text: String) {
    #expect(KeptDocument(Array(text.utf8)) == nil)
  }

  @Test
  func `what this program writes is known, and signatures of other tools are not taken for keys`()
    throws
  {
    let seed = Keys.firstSeed
    let key = try SecretKey(seed: SecretBytes(copying: seed.span))
    let publicKey = key.publicKey
    for text in [
      publicKey.pem(name: "a"), publicKey.openSSHLine, publicKey.shortForm, publicKey.minisignFile,
      publicKey.signifyFile(name: "a"), publicKey.allowedSigner("a", namespace: "sealift"),
    ] {
      #expect(KeptDocument(Array(text.utf8)) == .publicKey, "\(text)")
    }
    let list = Array("list".utf8)
    for text in [
      try MinisignSignature(of: list, by: key, trustedComment: "c").text,
      try SignifySignature(of: list, by: key).text,
      try SSHSignature(of: list, by: key, namespace: "sealift").text,
    ] {
      #expect(KeptDocument(Array(text.utf8)) == nil, "\(text)")
    }
  }
}
