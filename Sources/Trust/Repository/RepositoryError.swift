package import Manifests

/// Why what a repository says of its releases is not taken, or leaves nothing to install.
package enum RepositoryError: Error, Equatable, Sendable {
  // Documents that are targets.

  /// The document at this path of the repository does not have its form.
  case document(path: String, DocumentProblem)
  /// The path is not that of a release's manifest.
  case noReleasePath(String)
  /// A document names one release twice.
  case repeatedRelease(path: String, ModelName, Version)
  /// What the keys of the root signed is no trust policy.
  case badPolicy(TrustError)
  /// The target is no envelope, so nobody signed anything.
  case badEnvelope(path: String, ManifestError)
  /// Fewer keys of the root than needed have signed the trust policy.
  case policySigners(counted: Int, threshold: Int)
  /// The trust policy is older than the one that was accepted before.
  case policyRollback(from: Int, to: Int)
  /// The trust policy is another one than was accepted under this version.
  case policyReplaced(version: Int)
  /// The repository has no trust policy, so nothing of it can be accepted.
  case noPolicy
  /// The release is withdrawn already.
  case alreadyWithdrawn(ModelName, Version)
  /// The signed manifest is about another release than the entry under which it lies.
  case contradiction(ReleaseEntry, found: ReleaseEntry)

  // The list of repositories.

  /// The name, or one that differs in case alone, is that of the repository at `url`.
  case nameTaken(RepositoryName, url: RepositoryURL)
  /// Two repositories would decide about one model.
  case overlap(ModelPattern, with: ModelPattern, of: RepositoryName)
  case noSuchRepository(RepositoryName)

  // Releases.

  /// The one version that is wanted is withdrawn.
  case withdrawn(WithdrawnRelease)
  /// The repository has no current release that fits; `among` are those that it has of the model, the newest last.
  case noRelease(ModelName, ReleaseDemand, among: [ReleaseEntry])
  /// Each release that fits was passed over, the newest first.
  case noUsableRelease(ModelName, [ReleaseChoice.Passed])
}
