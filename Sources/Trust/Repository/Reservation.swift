package import Digests
package import Manifests
package import StrictJSON

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
  /// Whether the repository has said something and nothing of it can be read; nothing is accepted then either.
  package let isDamaged: Bool

  package init(
    repository: RepositoryName,
    models: [ModelPattern],
    terms: RepositoryTerms?,
    isDamaged: Bool = false
  ) {
    (self.repository, self.models, self.terms) = (repository, models, terms)
    self.isDamaged = isDamaged
  }

  /// Why nothing is accepted that no known key has signed.
  fileprivate var problem: ReservationProblem {
    terms != nil ? .foreignSigner : isDamaged ? .damagedPolicy : .noPolicy
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

  /// All that decides, as one document: this policy, and what the repositories that reserve models have said.
  ///
  /// The document of the policy alone where there is no repository.
  package var decidingDocument: JSONValue {
    guard !reservations.isEmpty else { return document }
    let repositories = reservations.map { reservation -> (String, JSONValue) in
      var members: JSONObject = [
        "models": .array(reservation.models.map { .string($0.text) }), "policy": .null,
        "withdrawn": .null,
      ]
      if let terms = reservation.terms {
        members["policy"] = terms.policy.document
        members["withdrawn"] = .string(SHA256Digest(of: terms.withdrawn.encode()).hex)
      }
      return (reservation.repository.text, .object(members))
    }
    return ["policy": document, "repositories": .object(JSONObject(uniqueMembers: repositories))]
  }

  /// The repository to which a model belongs; nil where the keys of this policy decide.
  package func reservation(for model: ModelName) -> Reservation? {
    reservations.first { $0.covers(model) }
  }

  /// Whether it can be told what is withdrawn from a model: not before its repository was asked, nor where what that has
  /// said cannot be read.
  package func knowsWithdrawals(from model: ModelName) -> Bool {
    reservation(for: model).map { $0.terms != nil } ?? true
  }

  /// The manifests that the repository of a model has withdrawn; none for a model of no repository.
  package func manifests(withdrawnFrom model: ModelName) -> Set<SHA256Digest> {
    Set(reservation(for: model)?.terms?.withdrawn.releases.map(\.manifest) ?? [])
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
      try requireNoWithdrawnName(in: envelope)
      return nil
    }
    try requireNotWithdrawn(envelope.payloadDigest)
    return reservation(for: try Self.release(of: envelope).model)
  }

  /// Throws `withdrawnSigner` where an envelope names keys that a repository has withdrawn.
  ///
  /// The names prove nothing, and nobody who is trusted has signed: they only say why.
  private func requireNoWithdrawnName(in envelope: Envelope) throws(TrustError) {
    for reservation in reservations {
      let keys = reservation.terms?.policy.withdrawnKeys(named: envelope.signatures.map(\.keyID))
      guard let keys, !keys.isEmpty else { continue }
      throw .withdrawnSigner(keys, by: reservation.repository)
    }
  }

  /// What a refusal means for a model that is known by other means than the manifest, which nobody has vouched for.
  package func refusal(_ error: TrustError, of model: ModelName) -> TrustError {
    guard case .untrustedSigner = error, let reservation = reservation(for: model) else {
      return error
    }
    return .reserved(model, by: reservation.repository, reservation.problem)
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
      throw Self.refusal(of: evidence.release, by: name, reservation.problem)
    }
    evidence.decider = (name, decider)
    do throws(TrustError) {
      var accepted = try decider.accept(bytes, at: time, noting: &evidence)
      accepted.withdrawn = Set(reservation.terms?.withdrawn.releases.map(\.manifest) ?? [])
      return accepted
    } catch {
      switch error {
      case .untrustedSigner: throw Self.refusal(of: evidence.release, by: name, .foreignSigner)
      case .withdrawnSigner(let keys, _): throw .withdrawnSigner(keys, by: name)
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
