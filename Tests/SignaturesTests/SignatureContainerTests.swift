import Signatures
import Testing

/// A signer whose signatures are those of another key.
private struct ForeignSigner: ~Copyable, Signer {
  let publicKey: PublicKey
  private let other = SecretKey()

  init(_ key: PublicKey) { publicKey = key }

  borrowing func sign(_ message: [UInt8]) -> Signature { other.sign(message) }
}

@Suite struct SignatureContainerTests {
  private static let message = Array("0123  a\n".utf8)

  @Test func `a signature that does not verify is written by no container`() throws {
    let key = SecretKey().publicKey
    let signer = ForeignSigner(key)
    let error = KeyError.signatureDoesNotVerify(by: key.fingerprint)
    #expect(throws: error) {
      try MinisignSignature(of: Self.message, by: signer, trustedComment: "x")
    }
    #expect(throws: error) { try SignifySignature(of: Self.message, by: signer) }
    #expect(throws: error) { try SSHSignature(of: Self.message, by: signer, namespace: "n") }
  }

  @Test func `each container is the same for the same key and message`() throws {
    let key = SecretKey()
    let pairs = try (0..<2).map { _ in
      [
        try MinisignSignature(of: Self.message, by: key, trustedComment: "x").text,
        try SignifySignature(of: Self.message, by: key).text,
        try SSHSignature(of: Self.message, by: key, namespace: "n").text,
      ]
    }
    #expect(pairs[0] == pairs[1])
    #expect(pairs[0].allSatisfy { $0.utf8.last == UInt8(ascii: "\n") })
  }
}
