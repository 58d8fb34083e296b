import Digests
package import Manifests
package import Signatures
import Trust

/// Somebody who can sign parts of a change.
package struct RepositorySigner {
  package let publicKey: PublicKey
  private let signer: ([UInt8]) throws -> Signature

  /// Takes the key, and what signs with it; each signature is verified, whatever made it.
  package init(_ publicKey: PublicKey, _ signer: @escaping ([UInt8]) throws -> Signature) {
    (self.publicKey, self.signer) = (publicKey, signer)
  }

  func sign(_ bytes: [UInt8]) throws -> Signature { try signer(bytes) }
}

extension RepositoryDraft {
  /// Lets everybody sign what he may, one part after the other, as far as the signatures suffice.
  ///
  /// - Parameters:
  ///   - signers: Those who sign.
  ///   - now: The time of what is made on the way.
  ///   - show: Is told of each part once, before the first of the signers signs it; what it throws ends all.
  /// - Returns: The keys that have signed something.
  /// - Throws: What the signers throw, and ``RepositoryProblem``: a signature that does not verify, or the key of a signer who
  ///   has no say in the repository.
  @discardableResult
  package mutating func sign(
    with signers: [RepositorySigner],
    at now: Timestamp,
    showing show: (RepositoryDraft, DraftPart) throws -> Void = { _, _ in }
  ) throws -> Set<PublicKey> {
    var used: Set<PublicKey> = []
    // By their bytes: a part that is made anew on the way is shown anew.
    var shown: Set<SHA256Digest> = []
    var hasMoved = true
    while hasMoved {
      hasMoved = false
      advance(at: now)
      for part in parts {
        for signer in signers where wanted(part).contains(signer.publicKey) {
          guard let bytes = signedBytes(part) else { continue }
          if shown.insert(SHA256Digest(of: bytes)).inserted { try show(self, part) }
          try add(try signer.sign(bytes), by: signer.publicKey, to: part)
          used.insert(signer.publicKey)
          hasMoved = true
        }
      }
    }
    let owners = Set(
      [nextRoot, base?.root.contents].compactMap(\.self).flatMap { $0.keys.keys }
        .compactMap(\.publicKey)
    )
    for signer in signers where !owners.contains(signer.publicKey) {
      throw RepositoryProblem.unexpectedSigner(signer.publicKey.fingerprint)
    }
    return used
  }
}
