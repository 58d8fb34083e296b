package import Manifests
import StrictJSON

/// The trust policy of a repository: which keys may sign its releases, in a version that only grows.
///
/// It is the payload of an envelope with a type of its own, which the threshold of the root's keys signs; so whoever
/// has the keys of the other roles cannot replace the release keys, nor bring back an older policy.
///
///     { "policy": { "schema": "sealift.trust/1", … }, "schema": "sealift.repository-policy/1", "version": 3 }
package struct RepositoryPolicy: Hashable, Sendable {
  /// The type of the payload.
  package static let payloadType = "application/vnd.sealift.repository-policy+json"
  private static let schema = "sealift.repository-policy/1"

  /// Counts the changes of the policy, from 1 on.
  package let version: Int
  package let policy: TrustPolicy

  package init(version: Int, policy: TrustPolicy) {
    precondition(version >= 1, "versions of a policy begin with 1")
    (self.version, self.policy) = (version, policy)
  }

  /// Reads a payload, whose signatures the caller has checked.
  ///
  /// - Throws: `document` for another form, and `badPolicy` for what is no policy.
  package init(payload: [UInt8]) throws(RepositoryError) {
    let (version, document) = try readDocument(payload, at: RepositoryPath.policy) {
      members throws(DocumentProblem) in
      try members.node("schema").expect(Self.schema)
      let version = try members.integer("version", in: 1...Self.greatestVersion)
      return (version, try members.node("policy").value)
    }
    do {
      self.init(version: version, policy: try TrustPolicy(document: document))
    } catch {
      throw .badPolicy(error)
    }
  }

  /// The payload, always the same bytes for the same policy.
  package func encode() -> [UInt8] {
    JSONWriter.canonical([
      "policy": policy.document, "schema": .string(Self.schema),
      "version": .integer(Int64(version)),
    ])
  }

  /// The policy in an envelope that nobody has signed yet.
  ///
  /// The keys of the root sign its `signedBytes`, each by its own scheme; what a signature calls itself is only a hint.
  package func envelope() -> Envelope {
    Envelope(payloadType: Self.payloadType, payload: encode())
  }

  private static let greatestVersion = 1 << 53 - 1
}
