package import Digests
package import Manifests

/// What a repository has said that decides about its releases, as a client has accepted it last.
package struct RepositoryTerms: Hashable, Sendable {
  package let policy: TrustPolicy
  package let withdrawn: WithdrawnReleases

  package init(policy: TrustPolicy, withdrawn: WithdrawnReleases) {
    (self.policy, self.withdrawn) = (policy, withdrawn)
  }
}

/// The models that belong to a repository: about these no other key decides.
///
/// It holds from the moment at which the repository was added, offline and before anything was fetched, and after
/// everything was withdrawn.
package struct Reservation: Hashable, Sendable {
  package let repository: RepositoryName
  package let models: [ModelPattern]
  /// What the repository has said; nil before it was asked, and nothing is accepted then.
  package let terms: RepositoryTerms?

  package init(repository: RepositoryName, models: [ModelPattern], terms: RepositoryTerms?) {
    (self.repository, self.models, self.terms) = (repository, models, terms)
  }

  package func covers(_ model: ModelName) -> Bool { models.contains { $0.matches(model) } }

  /// What the repository has said of a release that it has withdrawn; nil for any other.
  package func withdrawal(of manifest: SHA256Digest) -> WithdrawnRelease? {
    terms?.withdrawn.release(of: manifest)
  }
}

extension TrustPolicy {
  /// The policy under which these repositories decide about their models; their patterns do not overlap.
  package func reserving(_ reservations: [Reservation]) -> TrustPolicy {
    var policy = self
    policy.reservations = reservations
    return policy
  }

  /// The repository to which a model belongs; nil where the keys of this policy decide.
  package func reservation(for model: ModelName) -> Reservation? {
    reservations.first { $0.covers(model) }
  }

  /// The repository to which the release in an envelope belongs; nil where the keys of this policy decide.
  ///
  /// The payload is read once a key that counts, of this policy or of a repository's, has signed it; a repository whose
  /// keys have signed and count no more is the one that refuses. Throws `withdrawnManifest` for what this policy itself
  /// withdraws, `noCurrentSigner`, or `unusable`.
  func reservation(
    of envelope: Envelope,
    at time: Timestamp
  ) throws(TrustError) -> Reservation? {
    guard !reservations.isEmpty else { return nil }
    let own = hasCurrentSigner(of: envelope, at: time)
    let deciders = reservations.compactMap { decider(of: $0) }
    guard own || deciders.contains(where: { $0.hasCurrentSigner(of: envelope, at: time) }) else {
      guard signers(of: envelope).isEmpty else { return nil }
      for decider in deciders {
        let signers = decider.signers(of: envelope).sorted().compactMap { decider.keys[$0] }
        if !signers.isEmpty { try decider.requireCurrentSigner(signers, at: time) }
      }
      return nil
    }
    try requireNotWithdrawn(envelope.payloadDigest)
    return reservation(for: try Self.release(of: envelope).model)
  }

  /// Accepts a manifest by the policy of the repository to which the model belongs.
  func accept(
    _ bytes: [UInt8],
    under reservation: Reservation,
    at time: Timestamp,
    noting evidence: inout TrustEvidence
  ) throws(TrustError) -> AcceptedManifest {
    let name = reservation.repository
    evidence.release = try evidence.envelope.map { envelope throws(TrustError) in
      try Self.release(of: envelope)
    }
    guard let decider = decider(of: reservation) else {
      evidence.decider = (name, TrustPolicy())
      throw Self.refusal(of: evidence.release, by: name, .noPolicy)
    }
    evidence.decider = (name, decider)
    do throws(TrustError) {
      var accepted = try decider.accept(bytes, at: time, noting: &evidence)
      accepted.withdrawn = Set(reservation.terms?.withdrawn.releases.map(\.manifest) ?? [])
      return accepted
    } catch {
      switch error {
      case .untrustedSigner: throw Self.refusal(of: evidence.release, by: name, .foreignSigner)
      case .noRule(let model): throw .reserved(model, by: name, .noRule)
      default: throw error
      }
    }
  }

  private static func refusal(
    of release: Release?,
    by repository: RepositoryName,
    _ problem: ReservationProblem
  ) -> TrustError {
    guard let release else { return .untrustedSigner(claimed: []) }
    return .reserved(release.model, by: repository, problem)
  }

  private func hasCurrentSigner(of envelope: Envelope, at time: Timestamp) -> Bool {
    signers(of: envelope).compactMap { keys[$0] }.contains { objection(to: $0, at: time) == nil }
  }

  /// The policy that decides about the models of a repository: its own, with all that is withdrawn here or there.
  ///
  /// Nil before the repository was asked.
  private func decider(of reservation: Reservation) -> TrustPolicy? {
    guard let terms = reservation.terms else { return nil }
    var policy = terms.policy
    policy.reservations = []
    policy.withdrawnKeys.merge(withdrawnKeys) { _, own in own }
    for release in terms.withdrawn.releases {
      policy.withdrawnManifests[release.manifest] = release.reason
    }
    policy.withdrawnManifests.merge(withdrawnManifests) { _, own in own }
    return policy
  }
}
