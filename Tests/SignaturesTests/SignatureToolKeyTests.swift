import Signatures
import SystemFiles
import Testing
import Vectors

/// Public keys in the forms of minisign and signify.
struct SignatureToolKeyTests {
  let folder: OwnFolder
  init() throws { folder = try OwnFolder() }

  @discardableResult
  private func write(_ text: String, _ name: String) throws -> String {
    try replaceFile(at: folder.path(name), with: Array(text.utf8), mode: 0o644)
    return folder.path(name)
  }

  /// The line that both tools begin a file with, and base64 of a signature with the number of a key.
  private func signatureText(_ signature: Signature, by number: KeyNumber) -> String {
    let contents = Array("Ed".utf8) + number.bytes + signature.bytes
    return "untrusted comment: a test\n\(Base64.encode(contents))\n"
  }

  @Test func `the number of a key begins its SHA-256, and is printed backwards`() throws {
    let number = try SampleKeys.first().publicKey.number
    #expect(number.bytes == bytes("21fe31dfa154a261"))
    #expect(number.description == "61A254A1DF31FE21")
    // About one number in sixteen begins with a zero, which minisign leaves out.
    for index in 0..<64 {
      let key = try SecretKey(hexSeed: String(repeating: "0", count: 62) + "\(index + 10)")
      let number = key.publicKey.number
      #expect(number.description.first != "0", "\(number.bytes)")
    }
  }

  @Test func `the file is a comment and the tools' base64`() throws {
    let key = try SampleKeys.first().publicKey
    let digits = "RWQh/jHfoVSiYddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea"
    #expect(
      key.minisignFile == "untrusted comment: minisign public key 61A254A1DF31FE21\n\(digits)\n"
    )
    #expect(key.signifyFile(name: "acme") == "untrusted comment: acme public key\n\(digits)\n")
  }

  @Test func `a name cannot break out of its line, nor be too long for signify`() {
    let key = SecretKey().publicKey
    #expect(
      key.signifyFile(name: "a\nRWQ\u{202e}b").hasPrefix("untrusted comment: a RWQ b public key\n")
    )
    let long = String(repeating: "é", count: 600)
    #expect(key.signifyFile(name: long).split(separator: "\n").first?.utf8.count ?? 0 < 300)
  }

  @Test(.enabled(if: InstalledTool.minisign != nil, "minisign is not installed"))
  func `minisign verifies with our file, and with its one line`() throws {
    let tool = try #require(InstalledTool.minisign)
    let key = SecretKey()
    let other = SecretKey()
    let message = "0123  a file\n"
    let signature = key.sign(Array(message.utf8))
    let global = key.sign(signature.bytes + Array("trusted".utf8))
    let path = try write(message, "message")
    try write(
      signatureText(signature, by: key.publicKey.number)
        + "trusted comment: trusted\n\(Base64.encode(global.bytes))\n",
      "message.minisig"
    )
    let ours = try write(key.publicKey.minisignFile, "ours.pub")
    let line = String(try #require(key.publicKey.minisignFile.split(separator: "\n").last))
    #expect(try tool.run(["-V", "-p", ours, "-m", path]).exitCode == 0)
    #expect(try tool.run(["-V", "-P", line, "-m", path]).exitCode == 0)
    let theirs = try write(other.publicKey.minisignFile, "theirs.pub")
    let (exitCode, output) = try tool.run(["-V", "-p", theirs, "-m", path])
    #expect(exitCode == 1)
    // It prints both numbers as we do.
    #expect(output.contains(key.publicKey.number.description), "\(output)")
    #expect(output.contains(other.publicKey.number.description), "\(output)")
    try write(message + "x", "message")
    #expect(try tool.run(["-V", "-p", ours, "-m", path]).exitCode == 1)
  }

  @Test(
    .enabled(if: InstalledTool.signify != nil, "signify-openbsd is not installed"),
    arguments: [("release", 1), ("a name with ünicode", 1), ("x", 2000)]
  )
  func `signify verifies with our file`(name: String, times: Int) throws {
    let name = String(repeating: name, count: times)
    let tool = try #require(InstalledTool.signify)
    let key = SecretKey()
    let other = SecretKey()
    let message = "0123  a file\n"
    let path = try write(message, "message")
    let signature = try write(
      signatureText(key.sign(Array(message.utf8)), by: key.publicKey.number),
      "message.sig"
    )
    let ours = try write(key.publicKey.signifyFile(name: name), "ours.pub")
    let theirs = try write(other.publicKey.signifyFile(name: name), "theirs.pub")
    let verify = ["-V", "-m", path, "-x", signature, "-p"]
    let (exitCode, output) = try tool.run(verify + [ours])
    #expect(exitCode == 0, "\(output)")
    #expect(try tool.run(verify + [theirs]).exitCode == 1)
    try write(message + "x", "message")
    #expect(try tool.run(verify + [ours]).exitCode == 1)
  }
}
