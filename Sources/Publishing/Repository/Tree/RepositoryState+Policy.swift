import Manifests
package import Trust

extension RepositoryState {
  /// The trust policy as clients accept it: signed by the threshold of the root's keys; nil where none is listed.
  ///
  /// What is signed anew, built on or judged by is this alone. The list of targets says only which file it is, and whoever
  /// has the keys of targets could list another.
  /// - Throws: ``RepositoryProblem/unsignedPolicy(found:threshold:)``, and ``RepositoryProblem/badDocument(_:_:)`` for what is
  ///   no policy.
  package var signedPolicy: RepositoryPolicy? {
    get throws(RepositoryProblem) {
      guard let policy else { return nil }
      do throws(RepositoryError) {
        return try RepositoryPolicy.accept(
          policy.encode(),
          signedBy: root.contents,
          after: nil
        )
      } catch .policySigners(let counted, let threshold) {
        throw .unsignedPolicy(found: counted, threshold: threshold)
      } catch {
        throw .badDocument(RepositoryPath.policy, error)
      }
    }
  }
}
