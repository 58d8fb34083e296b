package import Digests
package import Manifests
package import Signatures
package import StrictJSON

/// Why a manifest is not trusted, or a trust policy is no policy.
package enum TrustError: Error, Equatable, Sendable {
  // Refused manifests.

  /// No key of the policy made a signature that verifies, or is named; `claimed` are the unproven names in the envelope.
  case untrustedSigner(claimed: [String])
  /// The envelope names these keys of the policy, but no signature of a key of the policy verifies.
  case brokenSignature([TrustedKey])
  /// Every key of the policy that signed is withdrawn, has ended or is export-only; `rules` name such a key.
  case noCurrentSigner([IgnoredSigner], rules: [TrustRule])
  /// No key of the policy has signed, and the envelope names these keys, which are withdrawn for these reasons; `by` the
  /// repository, if it is not this client that has withdrawn them.
  case withdrawnSigner([Fingerprint: String], by: RepositoryName?)
  /// A trusted key signed, but no rule is about this model.
  case noRule(ModelName)
  /// The model belongs to a repository, which alone says whose releases are accepted.
  case reserved(ModelName, by: RepositoryName, ReservationProblem)
  case tooFewSigners(rule: TrustRule, counted: [Fingerprint], ignored: [IgnoredSigner])
  case withdrawnManifest(SHA256Digest, reason: String)
  case expired(Timestamp, now: Timestamp)
  /// The bytes are no envelope, so nobody signed anything.
  case noEnvelope(ManifestError)
  /// What a trusted key signed is not a usable manifest.
  case unusable(ManifestError)

  // Refused versions.

  /// The version is below the highest one that was ever active and good.
  case downgrade(to: Version, floor: Version)
  /// Another manifest of the same version was installed; a release is immutable.
  case replaced(version: Version, installed: SHA256Digest, offered: SHA256Digest)

  /// The highest version that was ever active is not known any more, since its record is damaged.
  case unknownFloor(candidate: Version)

  // Refused reports of audits.

  /// The bytes are no envelope, so nobody signed anything.
  case noReport(ManifestError)
  /// Fewer keys than needed have signed the report; `claimed` are the unproven names in the envelope.
  case tooFewReportSigners(counted: [Fingerprint], threshold: Int, claimed: [String])
  /// What the keys signed is no report.
  case unusableReport(ManifestError)
  /// The report names another one before it than the one that it was to follow, or none.
  case brokenChain(expected: SHA256Digest, found: SHA256Digest?)

  // Refused policies.

  case badPattern(String)
  case badThreshold(Int, keys: Int)
  case repeatedPattern(ModelPattern)
  case repeatedKey(Fingerprint)
  case unknownKey(Fingerprint, ModelPattern)
  case withdrawnKey(Fingerprint, reason: String)
  /// A key that is export-only signs no manifest, so no rule may name it.
  case exportKeyInRule(Fingerprint, ModelPattern)
  case noSuchRule(ModelPattern)
  case noSuchKey(Fingerprint)
  case keyNotWithdrawn(Fingerprint)
  case manifestNotWithdrawn(SHA256Digest)
  case badPolicy(place: String, problem: String)
}

/// Why a release of a model that belongs to a repository is not accepted, besides what stands against its signers.
package enum ReservationProblem: Hashable, Sendable {
  /// The repository has not told its trust policy yet.
  case noPolicy
  /// What the repository has said was kept here, and cannot be read or is not signed any more.
  case damagedPolicy
  /// No key of the repository's trust policy has signed; other keys do not count.
  case foreignSigner
  /// The repository's trust policy has no rule about the model.
  case noRule
}

extension TrustError: JSONShapeFailure {
  package static func shape(_ error: JSONShapeError) -> TrustError {
    .badPolicy(
      place: error.path.isEmpty ? "the document" : error.path,
      problem: String(describing: error.problem)
    )
  }
}
