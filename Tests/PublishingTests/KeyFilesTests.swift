import Foundation
import Publishing
import Signatures
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct KeyFilesTests {
  private func passphrase(_ text: String = "correct horse") throws -> Passphrase {
    var bytes = Array(text.utf8)
    return try Passphrase(wiping: &bytes)
  }

  private func files(_ name: String = "release") throws -> KeyPairFiles {
    try KeyPairFiles(name: name, in: TemporaryFolder.path("keys"))
  }

  @Test func `a pair is written, the private half for its owner alone`() throws {
    let key = try sampleKey(1)
    try files().create(for: key, encryptedWith: try passphrase())
    let folder = try Folder(path: TemporaryFolder.path("keys"))
    #expect(try folder.status(of: "release.key")?.mode == 0o600)
    #expect(try folder.status(of: "release.pub")?.mode == 0o644)
    let file = try PrivateKeyFile(path: files().privatePath)
    let isEncrypted = file.isEncrypted
    #expect(isEncrypted)
    #expect(try file.open(with: try passphrase()).publicKey == key.publicKey)
    #expect(try PublicKey(file: files().publicPath) == key.publicKey)
  }

  @Test func `without a passphrase the private file is plain`() throws {
    try files().create(for: try sampleKey(1), encryptedWith: nil)
    let file = try PrivateKeyFile(path: files().privatePath)
    let isEncrypted = file.isEncrypted
    #expect(!isEncrypted)
  }

  @Test(arguments: ["release.key", "release.pub"])
  func `neither file is ever overwritten`(name: String) throws {
    try write(Array("precious".utf8), to: "keys/\(name)")
    let path = TemporaryFolder.path("keys/\(name)")
    #expect(throws: PublishingError.keyThere(path)) { try files().requireAbsence() }
    #expect(throws: PublishingError.keyThere(path)) {
      try files().create(for: try sampleKey(1), encryptedWith: nil)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    #expect(try Folder(path: TemporaryFolder.path("keys")).entries().map(\.name) == [name])
  }

  @Test(arguments: ["", "a/b", "../a", ".hidden", "-x", "ü", String(repeating: "x", count: 252)])
  func `a name is one file name`(name: String) {
    #expect(throws: PublishingError.badKeyName(name)) { try KeyPairFiles(name: name, in: "keys") }
  }

  @Test func `a public key and a plain private one are known without a passphrase`() async throws {
    try files().create(for: try sampleKey(1), encryptedWith: nil)
    try Folder(path: TemporaryFolder.path("keys")).rename(
      "release.pub",
      to: Folder(path: TemporaryFolder.current),
      "other.pub"
    )
    for (path, isPrivate) in [("other.pub", false), ("keys/release.key", true)] {
      let key = try await identity(path) { throw KeyError.passphraseNeeded }
      let expected = try sampleKey(1).publicKey
      #expect(key.publicKey == expected)
      #expect(key.isPrivate == isPrivate)
      #expect(key.companion == nil)
    }
  }

  @Test func `an encrypted private key is known by the public one beside it`() async throws {
    try files().create(for: try sampleKey(1), encryptedWith: try passphrase())
    let key = try await identity("keys/release.key") { throw KeyError.passphraseNeeded }
    let expected = try sampleKey(1).publicKey
    #expect(key.publicKey == expected)
    #expect(key.companion == TemporaryFolder.path("keys/release.pub"))
  }

  @Test func `alone, an encrypted private key is opened`() async throws {
    try files().create(for: try sampleKey(1), encryptedWith: try passphrase())
    try Folder(path: TemporaryFolder.path("keys")).removeFile("release.pub")
    let key = try await identity("keys/release.key") { try passphrase() }
    let expected = try sampleKey(1).publicKey
    #expect(key.publicKey == expected)
    await #expect(throws: KeyError.wrongPassphrase) {
      try await identity("keys/release.key") { try passphrase("another") }
    }
  }

  @Test func `a public key beside the private one of somebody else is refused`() async throws {
    try files().create(for: try sampleKey(1), encryptedWith: try passphrase())
    try write(Array(try sampleKey(2).publicKey.pem(name: "x").utf8), to: "keys/release.pub")
    let error = PublishingError.otherPublicKey(
      path: TemporaryFolder.path("keys/release.pub"),
      expected: try sampleKey(1).publicKey.fingerprint,
      found: try sampleKey(2).publicKey.fingerprint
    )
    await #expect(throws: error) {
      try await identity("keys/release.key") { throw KeyError.passphraseNeeded }
    }
  }

  private func identity(
    _ path: String,
    _ passphrase: () async throws -> Passphrase
  ) async throws -> KeyIdentity {
    try await KeyIdentity(
      reading: TemporaryFolder.path(path),
      allowingInsecurePermissions: false,
      passphrase: passphrase
    )
  }
}
