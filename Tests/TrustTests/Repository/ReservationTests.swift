import Digests
import Manifests
import ReleaseSimulator
import Signatures
import StrictJSON
import Testing
import Trust

/// About the models of a repository nobody else decides.
struct ReservationTests {
  private let now = Samples.now
  /// The key that the client trusts by itself, one that the repository trusts, and a stranger's.
  private let (own, its, foreign): (SimulatedSigner, SimulatedSigner, SimulatedSigner)
  private let name: RepositoryName
  private let release: SimulatedRelease
  private let model: ModelName

  init() throws {
    (own, its, foreign) = try Samples.signers()
    name = try RepositoryName("acme")
    release = try Samples.release("acme/tiny")
    model = release.model
  }

  /// The client's policy, which trusts its key for everything, with a repository for `acme/*`.
  private func policy(_ terms: RepositoryTerms?) throws -> TrustPolicy {
    try TrustPolicy()
      .adding([own.trusted()], for: ModelPattern("*"), threshold: 1)
      .adding([own.trusted()], for: ModelPattern("acme/*"), threshold: 1)
      .reserving([
        Reservation(repository: name, models: [try ModelPattern("acme/*")], terms: terms)
      ])
  }

  private func terms(
    _ policy: TrustPolicy? = nil,
    withdrawing release: SimulatedRelease? = nil
  ) throws -> RepositoryTerms {
    var withdrawn = WithdrawnReleases()
    if let release {
      withdrawn = try withdrawn.adding(
        WithdrawnRelease(
          model: release.model,
          version: release.version,
          manifest: try release.digest(),
          reason: "wrong tokenizer",
          time: now
        )
      )
    }
    return RepositoryTerms(
      policy: try policy ?? .trusting([its], for: "acme/*"),
      withdrawn: withdrawn
    )
  }

  private func refusal(_ problem: ReservationProblem) -> TrustError {
    .reserved(model, by: name, problem)
  }

  @Test func `a bare key is refused for what is reserved, before the first refresh`() throws {
    let policy = try policy(nil)
    #expect(throws: refusal(.noPolicy)) {
      try policy.accept(release.manifest(signedBy: [own]), at: now)
    }
    let claimed = TrustError.untrustedSigner(claimed: [its.fingerprint.description])
    #expect(throws: claimed) { try policy.accept(release.manifest(signedBy: [its]), at: now) }
  }

  @Test func `a bare key is refused for what is reserved, once the repository has spoken`() throws {
    let policy = try policy(terms())
    #expect(throws: refusal(.foreignSigner)) {
      try policy.accept(release.manifest(signedBy: [own]), at: now)
    }
    let accepted = try policy.accept(release.manifest(signedBy: [own, its]), at: now)
    #expect(accepted.signers == [its.trusted()])
    #expect(accepted.rule.models.text == "acme/*" && accepted.withdrawn.isEmpty)
  }

  @Test func `a bare key is refused for what is reserved, after everything was withdrawn`() throws {
    let bytes = try release.manifest(signedBy: [own])
    for terms in [try terms(TrustPolicy()), try terms(TrustPolicy(), withdrawing: release)] {
      #expect(throws: refusal(.foreignSigner)) { try policy(terms).accept(bytes, at: now) }
    }
    let both = try release.manifest(signedBy: [own, its])
    let digest = try release.digest()
    #expect(throws: TrustError.withdrawnManifest(digest, reason: "wrong tokenizer")) {
      try policy(terms(withdrawing: release)).accept(both, at: now)
    }
  }

  @Test func `the keys of a repository decide about its models and no others`() throws {
    let policy = try policy(terms(.trusting([its], for: "*")))
    let other = try Samples.release("tiny")
    #expect(throws: TrustError.untrustedSigner(claimed: [its.fingerprint.description])) {
      try policy.accept(other.manifest(signedBy: [its]), at: now)
    }
    #expect(try policy.accept(other.manifest(signedBy: [own]), at: now).signers == [own.trusted()])
    #expect(throws: refusal(.noRule)) {
      try policy.accept(release.manifest(signedBy: [its]), at: now)
    }
  }

  @Test func `a key that the repository has withdrawn is told with its reason`() throws {
    let withdrawn = try TrustPolicy.trusting([foreign], for: "acme/*")
      .withdrawing(its.fingerprint, reason: "stolen")
    let refusal = TrustError.withdrawnSigner([its.fingerprint: "stolen"], by: name)
    let policy = try policy(terms(withdrawn))
    for signers in [[its], [its, own]] {
      #expect(throws: refusal) { try policy.accept(release.manifest(signedBy: signers), at: now) }
    }
    // It vouches for nothing, and takes nothing away from who does.
    let both = try release.manifest(signedBy: [its, foreign])
    #expect(try policy.accept(both, at: now).signers == [foreign.trusted()])
  }

  @Test func `what nobody vouches for is judged by the model that is known otherwise`() throws {
    let stranger = TrustError.untrustedSigner(claimed: [])
    #expect(try policy(nil).refusal(stranger, of: model) == refusal(.noPolicy))
    #expect(try policy(terms()).refusal(stranger, of: model) == refusal(.foreignSigner))
    #expect(try policy(terms()).refusal(stranger, of: ModelName("tiny")) == stranger)
    let other = TrustError.noRule(model)
    #expect(try policy(terms()).refusal(other, of: model) == other)
    let damaged = TrustPolicy().reserving([
      Reservation(
        repository: name,
        models: [try ModelPattern("acme/*")],
        terms: nil,
        isDamaged: true
      )
    ])
    #expect(damaged.refusal(stranger, of: model) == refusal(.damagedPolicy))
  }

  @Test func `what decides is one document, with what repositories have said`() throws {
    let plain = try TrustPolicy.trusting([own])
    #expect(plain.decidingDocument == plain.document)
    let documents = try [
      nil, terms(), terms(TrustPolicy()), terms(withdrawing: release),
    ].map { JSONWriter.canonical(try policy($0).decidingDocument) }
    #expect(Set(documents).count == documents.count)
  }

  @Test func `two repositories do not decide for each other`() throws {
    let both = TrustPolicy().reserving([
      Reservation(repository: name, models: [try ModelPattern("acme/*")], terms: try terms()),
      Reservation(
        repository: try RepositoryName("b"),
        models: [try ModelPattern("b/*")],
        terms: RepositoryTerms(
          policy: try .trusting([foreign], for: "b/*"),
          withdrawn: WithdrawnReleases()
        )
      ),
    ])
    #expect(throws: refusal(.foreignSigner)) {
      try both.accept(release.manifest(signedBy: [foreign]), at: now)
    }
    let other = try Samples.release("b/tiny")
    #expect(try both.accept(other.manifest(signedBy: [foreign]), at: now).signers.count == 1)
    #expect(both.reservation(for: other.model)?.repository.text == "b")
    #expect(both.reservation(for: try ModelName("c")) == nil)
  }

  @Test func `a release that the repository has withdrawn is refused, and the others know of it`()
    throws
  {
    let newer = try SimulatedRelease.tiny("2.0.0", model: "acme/tiny")
    let policy = try policy(terms(withdrawing: newer))
    let digest = try newer.digest()
    #expect(throws: TrustError.withdrawnManifest(digest, reason: "wrong tokenizer")) {
      try policy.accept(newer.manifest(signedBy: [its]), at: now)
    }
    let accepted = try policy.accept(release.manifest(signedBy: [its]), at: now)
    #expect(accepted.withdrawn == [digest])
    let reservation = try #require(policy.reservation(for: model))
    #expect(reservation.withdrawal(of: digest)?.version == newer.version)
    #expect(reservation.withdrawal(of: try release.digest()) == nil)
  }

  @Test func `what the client itself has withdrawn stays withdrawn`() throws {
    let bytes = try release.manifest(signedBy: [its])
    let digest = try release.digest()
    let policy = try policy(terms())
    #expect(throws: TrustError.withdrawnManifest(digest, reason: "mine")) {
      try policy.withdrawing(digest, reason: "mine").accept(bytes, at: now)
    }
    let lost = IgnoredSigner(key: its.trusted(), reason: .withdrawn("lost"))
    let keyless = policy.withdrawing(its.fingerprint, reason: "lost")
    let rules = try terms().policy.rules
    #expect(throws: TrustError.noCurrentSigner([lost], rules: rules)) {
      try keyless.accept(bytes, at: now)
    }
    #expect(throws: TrustError.noCurrentSigner([lost], rules: rules)) {
      try keyless.accept(release.manifest(signedBy: [its, own]), at: now)
    }
  }

  @Test func `what no key signed is not read, whoever reserved it`() throws {
    let broken = try Envelope(payload: Array("{]".utf8)).signed(by: [foreign]).encode()
    #expect(throws: TrustError.untrustedSigner(claimed: [foreign.fingerprint.description])) {
      try policy(terms()).accept(broken, at: now)
    }
    let unusable = try Envelope(payload: Array("{]".utf8)).signed(by: [its])
    let verdict = try policy(terms()).verdict(on: unusable.encode(), at: now)
    #expect(verdict.refusal?.isUnusable == true)
  }

  @Test func `a verdict is that of the repository's policy`() throws {
    let policy = try policy(terms())
    let verdict = policy.verdict(on: try release.manifest(signedBy: [its, own]), at: now)
    #expect(verdict.repository == name)
    #expect(verdict.signers == [TrustVerdict.Signer(key: its.trusted(), standing: .counts)])
    #expect(verdict.unproven == [own.fingerprint.description])
    #expect(verdict.accepted != nil && verdict.rule?.models.text == "acme/*")
    let refused = policy.verdict(on: try release.manifest(signedBy: [own]), at: now)
    #expect(refused.refusal == refusal(.foreignSigner) && refused.repository == name)
    #expect(refused.release?.model == model && refused.signers.isEmpty)
    let early = try self.policy(nil).verdict(on: release.manifest(signedBy: [own]), at: now)
    #expect(early.refusal == refusal(.noPolicy) && early.repository == name)
    let bare = policy.verdict(on: try Samples.release("tiny").manifest(signedBy: [own]), at: now)
    #expect(bare.repository == nil && bare.accepted != nil)
  }

  @Test func `an installed release is judged by the repository that has reserved it since`() throws
  {
    let bytes = try release.manifest(signedBy: [own])
    let judgement = try policy(nil).judgement(onInstalled: bytes, acceptedAt: now, at: now)
    #expect(judgement.refusals == [refusal(.noPolicy)])
  }

  @Test func `an edited policy keeps what is reserved, and its document does not name it`() throws {
    let policy = try policy(nil)
    let edited = try policy.adding([foreign.trusted()], for: ModelPattern("x"), threshold: 1)
    #expect(edited.reservations == policy.reservations)
    #expect(policy.document == policy.reserving([]).document)
  }
}

extension TrustError {
  fileprivate var isUnusable: Bool {
    if case .unusable = self { true } else { false }
  }
}
