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
  /// The release is withdrawn already.
  case alreadyWithdrawn(ModelName, Version)
}
