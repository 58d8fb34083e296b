import Manifests
import Signatures

extension RepositoryPolicy {
  /// Accepts the policy that the threshold of the root's keys has signed, or says why not.
  ///
  /// Distinct public keys of the role count, whatever the signatures call themselves; they are checked over the raw
  /// payload before anything parses it.
  /// - Parameters:
  ///   - bytes: The target `policy.json`.
  ///   - root: The root whose keys count: the newest, where the policy comes from the network.
  ///   - stored: The policy that was accepted before; nil for the first.
  /// - Returns: The policy.
  /// - Throws: `document`, `policySigners`, `badPolicy`; `policyRollback` for a lower version than the stored one, and
  ///   `policyReplaced` for another policy of the same version.
  package static func accept(
    _ bytes: [UInt8],
    signedBy root: RootMetadata,
    after stored: RepositoryPolicy?
  ) throws(RepositoryError) -> RepositoryPolicy {
    let envelope = try Self.envelope(bytes)
    let counted = signers(of: envelope, among: root)
    guard counted >= root.root.threshold else {
      throw .policySigners(counted: counted, threshold: root.root.threshold)
    }
    let policy = try RepositoryPolicy(payload: envelope.payload)
    guard let stored else { return policy }
    guard policy.version >= stored.version else {
      throw .policyRollback(from: stored.version, to: policy.version)
    }
    guard policy.version > stored.version || policy == stored else {
      throw .policyReplaced(version: policy.version)
    }
    return policy
  }

  /// The policy that was accepted before, as it lies in a client's state; nil for what none of the roots has signed.
  ///
  /// Any root that the pinned one leads to will do: that a newer one has come in between is no reason to refuse what
  /// works. Whether the policy is current is the question of ``accept(_:signedBy:after:)``.
  package static func restored(_ bytes: [UInt8], roots: [SignedRoot]) -> RepositoryPolicy? {
    for root in roots.reversed() {
      do throws(RepositoryError) {
        return try accept(bytes, signedBy: root.contents, after: nil)
      } catch {
        continue
      }
    }
    return nil
  }

  private static func envelope(_ bytes: [UInt8]) throws(RepositoryError) -> Envelope {
    let envelope: Envelope
    do throws(ManifestError) { envelope = try Envelope(parsing: bytes) } catch {
      throw .badEnvelope(path: RepositoryPath.policy, error)
    }
    guard envelope.payloadType.utf8.elementsEqual(payloadType.utf8) else {
      throw .document(
        path: RepositoryPath.policy,
        .unexpected(path: "payloadType", expected: payloadType, found: envelope.payloadType)
      )
    }
    return envelope
  }

  /// How many distinct public keys of the root role have signed.
  private static func signers(of envelope: Envelope, among root: RootMetadata) -> Int {
    let message = envelope.signedBytes
    let keys = Set(root.root.keyIDs.compactMap { root.keys[$0]?.key })
    return keys.count { key in
      envelope.signatures.contains { key.verifies($0.bytes, of: message) }
    }
  }
}
