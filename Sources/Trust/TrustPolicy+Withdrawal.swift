package import Digests
package import Signatures

extension TrustPolicy {
  /// Refuses a manifest that is withdrawn, whoever signed it and however it is wrapped.
  ///
  /// - Parameter digest: The SHA-256 of its payload.
  /// - Throws: `withdrawnManifest`.
  func requireNotWithdrawn(_ digest: SHA256Digest) throws(TrustError) {
    guard let reason = withdrawnManifests[digest] else { return }
    throw .withdrawnManifest(digest, reason: reason)
  }

  /// The policy in which a key never counts again; rules that name it stay, and explain themselves.
  ///
  /// The key may be one that nobody trusts: it cannot be added then.
  package func withdrawing(_ key: Fingerprint, reason: String) -> TrustPolicy {
    var policy = self
    policy.withdrawnKeys[key] = reason
    return policy
  }

  /// The policy that refuses the manifest whose payload has this digest.
  package func withdrawing(_ manifest: SHA256Digest, reason: String) -> TrustPolicy {
    var policy = self
    policy.withdrawnManifests[manifest] = reason
    return policy
  }

  /// The policy in which a withdrawn key counts as if it had never been withdrawn; throws `keyNotWithdrawn`.
  package func restoring(_ key: Fingerprint) throws(TrustError) -> TrustPolicy {
    var policy = self
    guard policy.withdrawnKeys.removeValue(forKey: key) != nil else { throw .keyNotWithdrawn(key) }
    return policy
  }

  /// The policy that judges a withdrawn manifest by its signers again; throws `manifestNotWithdrawn`.
  package func restoring(_ manifest: SHA256Digest) throws(TrustError) -> TrustPolicy {
    var policy = self
    guard policy.withdrawnManifests.removeValue(forKey: manifest) != nil else {
      throw .manifestNotWithdrawn(manifest)
    }
    return policy
  }
}
