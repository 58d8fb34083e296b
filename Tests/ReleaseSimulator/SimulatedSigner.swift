import Digests
package import Manifests
package import Signatures
package import Trust

/// The owner of a key pair that is made from a name: the same on every machine, and no secret.
package struct SimulatedSigner: Hashable, Sendable {
  package let name: String
  package let publicKey: PublicKey
  private let seed: [UInt8]

  package init(_ name: String) throws {
    self.name = name
    let seed = SHA256Digest(of: Array("signer \(name)".utf8)).bytes
    self.seed = seed
    publicKey = try SecretKey(seed: SecretBytes(copying: seed.span)).publicKey
  }

  package var fingerprint: Fingerprint { publicKey.fingerprint }

  /// The private key, for key files and for signing anything.
  package func secretKey() throws -> SecretKey {
    try SecretKey(seed: SecretBytes(copying: seed.span))
  }

  /// The public key as a trust policy has it.
  package func trusted(until end: Timestamp? = nil) -> TrustedKey {
    TrustedKey(publicKey: publicKey, name: name, notAfter: end)
  }

  /// The envelope with one more signature.
  package func sign(_ envelope: Envelope) throws -> Envelope {
    try envelope.adding(try secretKey().sign(envelope.signedBytes), by: publicKey)
  }
}

extension Envelope {
  /// The envelope with the signatures of all these.
  package func signed(by signers: [SimulatedSigner]) throws -> Envelope {
    try signers.reduce(self) { try $1.sign($0) }
  }
}

extension TrustPolicy {
  /// The policy with one rule: so many of these signers for the models of this pattern.
  package static func trusting(
    _ signers: [SimulatedSigner],
    for pattern: String = "*",
    threshold: Int = 1
  ) throws -> TrustPolicy {
    try TrustPolicy()
      .adding(signers.map { $0.trusted() }, for: ModelPattern(pattern), threshold: threshold)
  }
}
