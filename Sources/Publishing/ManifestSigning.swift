package import Manifests
package import Signatures

extension Envelope {
  /// Returns the envelope with a signature by `signer`; the payload stays as it is, byte for byte.
  ///
  /// What the signer made is verified before it is taken.
  /// - Throws: `ManifestError`, also for a payload that is no manifest and for a key that has signed before;
  ///   `KeyError` for a signature that does not verify; and what the signer throws.
  package func signed(by signer: borrowing some Signer & ~Copyable) throws -> Envelope {
    _ = try release()
    try requireNoSignature(by: signer.publicKey)
    return try adding(signer.verifiedSignature(of: signedBytes), by: signer.publicKey)
  }

  /// Returns the envelope with a signature that was made elsewhere, over `Envelope.signedBytes`.
  ///
  /// - Throws: `ManifestError`, also for a payload that is no manifest, for a key that has signed before, and for a
  ///   signature that does not verify.
  package func attaching(_ signature: Signature, by key: PublicKey) throws -> Envelope {
    _ = try release()
    return try adding(signature, by: key)
  }

  /// Refuses a key that has signed, before its owner is asked for anything.
  package func requireNoSignature(by key: PublicKey) throws(ManifestError) {
    guard signers(among: [key]).isEmpty else { throw .signing(.alreadySigned(key.fingerprint)) }
  }
}
