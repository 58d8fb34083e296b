import Signatures
import SystemFiles
import Testing

/// What we write, OpenSSH reads; what OpenSSH writes, we read, except for its own encryption.
@Suite(.enabled(if: InstalledTool.keygen != nil, "ssh-keygen is not installed"))
struct OpenSSHTests {
  let folder: OwnFolder
  init() throws { folder = try OwnFolder() }

  @discardableResult
  private func keygen(
    _ arguments: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let keygen = try #require(InstalledTool.keygen)
    let (exitCode, output) = try keygen.run(arguments)
    #expect(exitCode == 0, "ssh-keygen \(arguments): \(output)", sourceLocation: sourceLocation)
    return output
  }

  @Test func `ssh-keygen prints our fingerprint for our line`() throws {
    let key = SecretKey().publicKey
    let line = "\(key.openSSHLine) release@example.com\n"
    try replaceFile(at: folder.path("key.pub"), with: Array(line.utf8), mode: 0o644)
    let output = try keygen("-lf", folder.path("key.pub"))
    #expect(output == "256 \(key.fingerprint) release@example.com (ED25519)\n")
  }

  @Test(arguments: ["", "x", "a comment with words"])
  func `what ssh-keygen writes is read`(comment: String) throws {
    let path = folder.path("id")
    try keygen("-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", path)
    let key = try PublicKey(file: path + ".pub")
    #expect(try PrivateKeyFile(path: path).publicKey() == key)
    #expect(try keygen("-lf", path).contains(key.fingerprint.description))
  }

  @Test(arguments: ["", "x", "a comment with words"])
  func `what we write is read by ssh-keygen`(comment: String) throws {
    let key = SecretKey()
    let path = folder.path("id")
    try PrivateKeyFile.createOpenSSH(at: path, for: key, comment: comment)
    let line =
      comment.isEmpty ? key.publicKey.openSSHLine : key.publicKey.openSSHLine + " " + comment
    #expect(try keygen("-y", "-f", path) == line + "\n")
  }

  @Test func `a key that OpenSSH encrypted is refused by name, and read once it is decrypted`()
    throws
  {
    let path = folder.path("id")
    try keygen("-q", "-t", "ed25519", "-N", "secret", "-f", path)
    #expect(throws: KeyError.openSSHPassphrase) {
      try PrivateKeyFile(path: path).publicKey("secret")
    }
    try keygen("-q", "-p", "-P", "secret", "-N", "", "-f", path)
    #expect(try PrivateKeyFile(path: path).publicKey() == PublicKey(file: path + ".pub"))
  }

  @Test(arguments: [("rsa", "ssh-rsa"), ("ecdsa", "ecdsa-sha2-nistp256")])
  func `a key of another kind is refused by name`(kind: String, name: String) throws {
    let path = folder.path("id")
    try keygen("-q", "-t", kind, "-N", "", "-f", path)
    #expect(throws: KeyError.notEd25519(found: name)) {
      try PrivateKeyFile(path: path).publicKey()
    }
    #expect(throws: KeyError.notEd25519(found: name)) { try PublicKey(file: path + ".pub") }
  }

  @Test func `no changed bit of a file gives another key`() throws {
    let key = try SampleKeys.first()
    try PrivateKeyFile.createOpenSSH(at: folder.path("id"), for: key, comment: "abc")
    let text = String(decoding: try folder.contents("id"), as: UTF8.self)
    let lines = text.split(separator: "\n")
    let contents = try #require(Base64.decode(lines.dropFirst().dropLast().joined()))
    for bit in 0..<8 * contents.count {
      var changed = contents
      changed[bit / 8] ^= 1 << (bit % 8)
      let text = "\(lines[0])\n\(Base64.encode(changed))\n\(lines[lines.count - 1])\n"
      do {
        #expect(try PrivateKeyFile(text: text).publicKey() == key.publicKey, "bit \(bit)")
      } catch is KeyError {}
    }
  }
}
