package import Digests
package import Manifests
import Signatures

/// What a policy says of a manifest, with all that led to it: for a person who asks why.
///
/// It decides nothing by itself: ``TrustPolicy/accept(_:at:)`` has made the decision.
package struct TrustVerdict: Equatable, Sendable {
  /// A key that matters for the decision, and what it did.
  package struct Signer: Equatable, Sendable {
    /// What a key contributed.
    package enum Standing: Equatable, Sendable {
      /// It signed, and its signature counts.
      case counts
      /// It signed, and its signature does not count.
      case ignored(IgnoredSigner.Reason)
      /// It signed; what it may sign was not looked at, since the manifest was refused before.
      case undecided
      /// The rule names it, and it did not sign.
      case absent
    }

    package let key: TrustedKey
    package let standing: Standing

    package init(key: TrustedKey, standing: Standing) {
      self.key = key
      self.standing = standing
    }
  }

  /// What was accepted; nil if nothing was.
  package let accepted: AcceptedManifest?
  /// Why nothing was accepted.
  package let refusal: TrustError?
  /// The SHA-256 of the payload; nil where the bytes are no envelope.
  package let digest: SHA256Digest?
  /// What the manifest says; nil where it was refused before it was read.
  package let release: Release?
  /// The rule that decides about the model; nil where it did not come to that.
  package let rule: TrustRule?
  /// The keys of the policy that signed, then those that the rule names and that did not.
  package let signers: [Signer]
  /// What the signatures call themselves that verify with no key of the policy: it proves nothing.
  package let unproven: [String]
  /// The repository whose policy decided, and not the client's own; nil for a model of no repository.
  package let repository: RepositoryName?
}

/// What was found out about a manifest on the way to a decision.
struct TrustEvidence {
  var envelope: Envelope?
  var signers: [TrustedKey] = []
  var release: Release?
  var rule: TrustRule?
  /// The repository that decided, and its policy.
  var decider: (repository: RepositoryName, policy: TrustPolicy)?
}

extension TrustPolicy {
  /// Judges a manifest exactly as ``accept(_:at:)`` does, and tells all that was found out on the way.
  package func verdict(on bytes: [UInt8], at time: Timestamp) -> TrustVerdict {
    var evidence = TrustEvidence()
    do {
      let accepted = try accept(bytes, at: time, noting: &evidence)
      return (evidence.decider?.policy ?? self)
        .verdict(from: evidence, accepted: accepted, refusal: nil, at: time)
    } catch {
      return (evidence.decider?.policy ?? self)
        .verdict(from: evidence, accepted: nil, refusal: error, at: time)
    }
  }

  private func verdict(
    from evidence: TrustEvidence,
    accepted: AcceptedManifest?,
    refusal: TrustError?,
    at time: Timestamp
  ) -> TrustVerdict {
    let signed = evidence.signers.map { key in
      TrustVerdict.Signer(key: key, standing: standing(of: key, by: evidence.rule, at: time))
    }
    let absent = (evidence.rule?.keys ?? []).compactMap { keys[$0] }
      .filter { !evidence.signers.contains($0) }
      .map { TrustVerdict.Signer(key: $0, standing: .absent) }
    let proven = evidence.signers.map(\.publicKey)
    return TrustVerdict(
      accepted: accepted,
      refusal: refusal,
      digest: evidence.envelope?.payloadDigest,
      release: evidence.release,
      rule: evidence.rule,
      signers: signed + absent,
      unproven: (evidence.envelope?.signatures(byNoneOf: proven) ?? []).map(\.keyID),
      repository: evidence.decider?.repository
    )
  }

  private func standing(
    of key: TrustedKey,
    by rule: TrustRule?,
    at time: Timestamp
  ) -> TrustVerdict.Signer.Standing {
    guard let rule else {
      return objection(to: key, at: time).map { .ignored($0) } ?? .undecided
    }
    return objection(to: key, in: rule, at: time).map { .ignored($0) } ?? .counts
  }
}
