package import Digests
package import Manifests
package import Signatures
package import Trust

/// Why a repository is not changed as somebody asked.
package enum RepositoryProblem: Error, Equatable, Sendable {
  // The tree.

  /// There is a repository at this path already.
  case alreadyThere(String)
  /// There is no repository at this path.
  case notThere(String)
  /// A file of the tree is missing.
  case missing(String)
  /// More roots follow the pinned one than clients take at once.
  case tooManyRoots(limit: Int)
  /// What lies in the tree is refused by the rules that clients follow.
  case refused(MetadataRefusal, file: String)
  /// A document in the tree is none.
  case badDocument(String, RepositoryError)
  case badPolicyEnvelope(ManifestError)
  /// Fewer keys of the root than needed have signed the trust policy that is listed.
  case unsignedPolicy(found: Int, threshold: Int)
  /// The timestamp that was to be made anew is there.
  case timestampThere
  /// This file of the change that waits cannot be read.
  case badChange(String)
  /// A numbered file has other bytes already, so that somebody else published meanwhile.
  case versionTaken(String)
  /// The timestamp is not the one that this change was made for.
  case publishedMeanwhile(expected: Int, found: Int)
  /// A change waits for signatures, so that no other can be made.
  case changePending
  /// The change that waits was made for a state that is no more, and cannot be made for the present one.
  case changeOutdated
  case nothingPending
  /// What was to be taken back was being published, and is now.
  case publishedAlready

  // Changes.

  /// This release is listed already with other bytes.
  case otherRelease(ModelName, Version)
  case noSuchRelease(ModelName, Version)
  /// The release was withdrawn, and never comes back.
  case withdrawn(ModelName, Version, reason: String)
  /// A path that is listed differs in case alone, which some file systems do not tell apart.
  case caseTwin(String, String)
  case unfitPath(String)
  /// No release key of the policy has signed the manifest as its rule demands.
  case untrusted(ModelName, TrustError)
  case noPolicy
  /// The new trust policy would refuse releases that are listed.
  case policyRefuses([RefusedRelease])
  case badThreshold(RoleName, Int, keys: Int)
  case keyThere(RoleName, Fingerprint)
  case keyNotThere(RoleName, Fingerprint)
  case nothingChanges
  /// The root has a key that is not Ed25519, and would lose it.
  case foreignKey(KeyID)

  // Signing.

  /// Nobody of those who may sign this role was named.
  case unexpectedSigner(Fingerprint)
  /// These roles lack signatures.
  case tooFewSignatures([MissingSignatures])
  case badImport(String)
  case noSuchDraft(String)
  /// A change that waits has a role that nothing delegates to.
  case unknownRole(RoleName)
  /// What would be signed in this part cannot be shown.
  case unreadable(String)
  case signatureDoesNotVerify(DraftPart, KeyID)
  case alreadySigned(DraftPart, KeyID)

  // Files of a release.

  case noFile(RelativePath, folder: String)
  case otherFile(RelativePath, expected: SHA256Digest, found: SHA256Digest)
}

/// A part of a change that lacks signatures, and whose.
package struct MissingSignatures: Hashable, Sendable {
  package let part: DraftPart
  package let found: Int
  package let threshold: Int
  /// Who may sign and has not.
  package let keys: [Fingerprint]
}

/// A part of a change that is signed by itself.
package enum DraftPart: Hashable, Sendable {
  case role(RoleName)
  case policy

  /// The word for it on the command line and in files.
  package var word: String {
    switch self {
    case .role(let role): role.text
    case .policy: "policy"
    }
  }
}
