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
    guard signers(among: [signer.publicKey]).isEmpty else {
      throw ManifestError.signing(.alreadySigned(signer.publicKey.fingerprint))
    }
    return try adding(signer.verifiedSignature(of: signedBytes), by: signer.publicKey)
  }
}
