import Signatures
import Testing
import Vectors

/// The key files with which two Python libraries are tested.
struct PublishedKeyFileTests {
  /// A private key file, what opens it, and the public key file beside it where there is one.
  struct Sample: Sendable {
    let folder: VectorFolder
    let name: String
    var passphrase: String?
    var publicKey: String?
  }

  private static let ecc = "PublicKey/ECC/ecc_ed25519"
  private static let openSSH = "asymmetric/OpenSSH"

  static let cryptographyKeys = [
    Sample(
      folder: .cryptography,
      name: "asymmetric/Ed25519/ed25519-pkcs8.pem",
      publicKey: "asymmetric/Ed25519/ed25519-pub.pem"
    ),
    Sample(
      folder: .cryptography,
      name: "asymmetric/Ed25519/ed25519-pkcs8-enc.pem",
      passphrase: "password",
      publicKey: "asymmetric/Ed25519/ed25519-pub.pem"
    ),
    Sample(
      folder: .cryptography,
      name: "asymmetric/PKCS8/ed25519-scrypt.pem",
      passphrase: "hunter42"
    ),
    Sample(
      folder: .cryptography,
      name: "\(openSSH)/ed25519-nopsw.key",
      publicKey: "\(openSSH)/ed25519-nopsw.key.pub"
    ),
  ]

  static let pycryptodomeKeys =
    [
      Sample(folder: .pycryptodome, name: "\(ecc)_private.pem", publicKey: "\(ecc)_public.pem"),
      Sample(
        folder: .pycryptodome,
        name: "\(ecc)_private_openssh.pem",
        publicKey: "\(ecc)_public_openssh.txt"
      ),
    ]
    + ["p8", "enc_aes128", "enc_aes192", "enc_aes256", "enc_des3"].map {
      Sample(
        folder: .pycryptodome,
        name: "\(ecc)_private_\($0).pem",
        passphrase: "secret",
        publicKey: "\(ecc)_public.pem"
      )
    }

  private func open(_ sample: Sample) throws {
    let file = try PrivateKeyFile(
      path: sample.folder.path(sample.name),
      allowingInsecurePermissions: true
    )
    #expect(file.isEncrypted == (sample.passphrase != nil))
    let key = try file.publicKey(sample.passphrase)
    guard let name = sample.publicKey else { return }
    #expect(try PublicKey(file: sample.folder.path(name)) == key)
  }

  @Test(.vectors(.cryptography), arguments: cryptographyKeys)
  func `a key file of pyca opens and holds the key of the file beside it`(sample: Sample) throws {
    try open(sample)
  }

  @Test(.vectors(.pycryptodome), arguments: pycryptodomeKeys)
  func `a key file of PyCryptodome opens and holds the key of the file beside it`(
    sample: Sample
  ) throws {
    try open(sample)
  }

  @Test(
    .vectors(.cryptography),
    arguments: [
      ("ed25519-psw.key", KeyError.openSSHPassphrase),
      ("ed25519-aesgcm-psw.key", .openSSHPassphrase),
      ("sk-ed25519-nopsw.key", .notEd25519(found: "sk-ssh-ed25519@openssh.com")),
      ("sk-ed25519-psw.key", .notEd25519(found: "sk-ssh-ed25519@openssh.com")),
      ("rsa-nopsw.key", .notEd25519(found: "ssh-rsa")),
      ("ecdsa-nopsw.key", .notEd25519(found: "ecdsa-sha2-nistp256")),
      ("dsa-nopsw.key", .notEd25519(found: "ssh-dss")),
    ]
  )
  func `an OpenSSH key that cannot be used is refused with the reason`(
    name: String,
    error: KeyError
  ) throws {
    let path = VectorFolder.cryptography.path("\(Self.openSSH)/\(name)")
    #expect(throws: error) {
      try PrivateKeyFile(path: path, allowingInsecurePermissions: true).publicKey("password")
    }
  }

  @Test(
    .vectors(.cryptography),
    arguments: [
      ("ed25519-psw.key.pub", nil),
      ("ed25519-aesgcm-psw.key.pub", nil),
      ("sk-ed25519-nopsw.key.pub", .notEd25519(found: "sk-ssh-ed25519@openssh.com")),
      ("ed25519-nopsw.key-cert.pub", .notEd25519(found: "ssh-ed25519-cert-v01@openssh.com")),
      ("rsa-nopsw.key.pub", .notEd25519(found: "ssh-rsa")),
    ] as [(String, KeyError?)]
  )
  func `an OpenSSH public key is read if it is a plain Ed25519 key`(
    name: String,
    error: KeyError?
  ) throws {
    let path = VectorFolder.cryptography.path("\(Self.openSSH)/\(name)")
    if let error {
      #expect(throws: error) { try PublicKey(file: path) }
    } else {
      _ = try PublicKey(file: path)
    }
  }

  @Test(
    .vectors(.cryptography),
    arguments: [
      ("unenc-rsa-pkcs8.pem", KeyError.unrecognized),
      ("rsa_pss_2048.pem", .notEd25519(found: "rsassaPss")),
      ("ec_private_key.pem", .notEd25519(found: "id-ecPublicKey")),
      ("unenc-dsa-pkcs8.pem", .notEd25519(found: "dsaEncryption")),
      ("enc-rsa-3des.pem", .wrongPassphrase),
      ("enc-unknown-algorithm.pem", .unsupportedEncryption("PBES2 (unsupported)")),
      (
        "enc-unknown-kdf.pem",
        .unsupportedEncryption("PBES2 (unsupported key derivation function)")
      ),
      ("enc-unknown-pbkdf2-prf.pem", .unsupportedEncryption("PBES2 (unsupported prf)")),
      (
        "bad-encryption-oid.pem",
        .unsupportedEncryption("0.24.97.792.97.792.97.792 (unknown pbe algorithm)")
      ),
      (
        "wrong-pem-delimiter-rsa.pem",
        .wrongKind(expected: "PRIVATE KEY", found: "RSA PRIVATE KEY")
      ),
    ]
  )
  func `a PKCS#8 file that cannot be used is refused with the reason`(
    name: String,
    error: KeyError
  ) throws {
    let path = VectorFolder.cryptography.path("asymmetric/PKCS8/\(name)")
    #expect(throws: error) {
      let file = try PrivateKeyFile(path: path, allowingInsecurePermissions: true)
      _ = try file.publicKey("not the passphrase")
    }
  }

  @Test(.vectors(.cryptography))
  func `a public key whose bit string claims unused bits is refused`() throws {
    let contents = try VectorFolder.cryptography.bytes(
      "asymmetric/Ed25519/ed25519-pub-non-zero-unused-bits.der"
    )
    #expect(throws: KeyError.damaged(.asn1)) { try PublicKey(subjectPublicKeyInfo: contents) }
    let good = try VectorFolder.cryptography.bytes("asymmetric/Ed25519/ed25519-pub.der")
    _ = try PublicKey(subjectPublicKeyInfo: good)
  }

  @Test(.vectors(.pycryptodome))
  func `a certificate is no public key`() throws {
    let path = VectorFolder.pycryptodome.path("\(Self.ecc)_x509.pem")
    #expect(throws: KeyError.wrongKind(expected: "PUBLIC KEY", found: "CERTIFICATE")) {
      try PublicKey(file: path)
    }
  }
}
