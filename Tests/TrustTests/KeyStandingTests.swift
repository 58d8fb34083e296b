import Digests
import Manifests
import ReleaseSimulator
import Signatures
import Testing
import Trust

/// Keys that are withdrawn, export-only or past their end count on nothing.
struct KeyStandingTests {
  private let now = Samples.now

  @Test func `a withdrawn key does not count, and its reason is told`() throws {
    let (a, b, _) = try Samples.signers()
    let policy = try TrustPolicy(
      keys: [a.trusted(), b.trusted()],
      rules: [TrustRule(models: ModelPattern("*"), keys: [a, b].map(\.fingerprint), threshold: 1)],
      withdrawnKeys: [a.fingerprint: "lost"]
    )
    let release = try Samples.release()
    #expect(
      throws: TrustError.noCurrentSigner(
        [IgnoredSigner(key: a.trusted(), reason: .withdrawn("lost"))],
        rules: policy.rules
      )
    ) { try policy.accept(release.manifest(signedBy: [a]), at: now) }
    let signers = try policy.accept(release.manifest(signedBy: [a, b]), at: now).signers
    #expect(signers == [b.trusted()])
  }

  @Test func `what only a withdrawn key has signed is not parsed`() throws {
    let (a, _, _) = try Samples.signers()
    let policy = try TrustPolicy(
      keys: [a.trusted()],
      rules: [TrustRule(models: ModelPattern("*"), keys: [a.fingerprint], threshold: 1)],
      withdrawnKeys: [a.fingerprint: "stolen"]
    )
    let garbage = try Envelope(payload: Array("no manifest".utf8)).signed(by: [a]).encode()
    #expect(
      throws: TrustError.noCurrentSigner(
        [IgnoredSigner(key: a.trusted(), reason: .withdrawn("stolen"))],
        rules: policy.rules
      )
    ) { try policy.accept(garbage, at: now) }
  }

  @Test(arguments: [(-1, true), (0, true), (1, false)] as [(Int64, Bool)])
  func `a key counts up to its end and not a second longer`(
    offset: Int64,
    counts: Bool
  ) throws {
    let (a, _, _) = try Samples.signers()
    let key = a.trusted(until: now)
    let policy = try TrustPolicy().adding([key], for: ModelPattern("*"), threshold: 1)
    let bytes = try Samples.release().manifest(signedBy: [a])
    let refusal = TrustError.noCurrentSigner(
      [IgnoredSigner(key: key, reason: .ended(now))],
      rules: policy.rules
    )
    let found = error { () throws(TrustError) in
      try policy.accept(bytes, at: Samples.time(offset))
    }
    #expect(found == (counts ? nil : refusal))
  }

  @Test func `an end is compared with the time of judgement and with no date in the manifest`()
    throws
  {
    let (a, _, _) = try Samples.signers()
    var release = try Samples.release()
    release.released = Samples.time(-1000)
    let key = a.trusted(until: Samples.time(-500))
    let policy = try TrustPolicy().adding([key], for: ModelPattern("*"), threshold: 1)
    let bytes = try release.manifest(signedBy: [a])
    #expect(
      throws: TrustError.noCurrentSigner(
        [IgnoredSigner(key: key, reason: .ended(Samples.time(-500)))],
        rules: policy.rules
      )
    ) { try policy.accept(bytes, at: now) }
    // At audit the recorded time of first acceptance is given, and what was accepted then stays so.
    #expect(try policy.accept(bytes, at: Samples.time(-600)).signers == [key])
  }

  @Test func `a withdrawn key counts at no time, not even before it was withdrawn`() throws {
    let (a, _, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a]).withdrawing(a.fingerprint, reason: "stolen")
    let bytes = try Samples.release().manifest(signedBy: [a])
    let refusal = TrustError.noCurrentSigner(
      [IgnoredSigner(key: a.trusted(), reason: .withdrawn("stolen"))],
      rules: policy.rules
    )
    for time in [Samples.time(-1_000_000), now, Samples.time(1_000_000)] {
      #expect(throws: refusal) { try policy.accept(bytes, at: time) }
    }
  }

  @Test func `an export-only key accepts no manifest`() throws {
    let (a, b, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a]).adding(exportOnly: [b.trusted()])
    let exporter = try #require(policy.keys[b.fingerprint])
    let release = try Samples.release()
    #expect(
      throws: TrustError.noCurrentSigner(
        [IgnoredSigner(key: exporter, reason: .exportOnly)],
        rules: []
      )
    ) { try policy.accept(release.manifest(signedBy: [b]), at: now) }
    let both = try release.manifest(signedBy: [a, b])
    #expect(try policy.accept(both, at: now).signers == [a.trusted()])
    let strict = try policy.adding(
      [a, SimulatedSigner("c")].map { $0.trusted() },
      for: ModelPattern("*"),
      threshold: 2
    )
    #expect(
      throws: TrustError.tooFewSigners(
        rule: strict.rules[0],
        counted: [a.fingerprint],
        ignored: [IgnoredSigner(key: exporter, reason: .exportOnly)]
      )
    ) { try strict.accept(both, at: now) }
  }

  @Test func `what only an export-only key has signed is not parsed`() throws {
    let (a, _, _) = try Samples.signers()
    let policy = try TrustPolicy().adding(exportOnly: [a.trusted()])
    let garbage = try Envelope(payload: Array("no manifest".utf8)).signed(by: [a]).encode()
    #expect(
      throws: TrustError.noCurrentSigner(
        [IgnoredSigner(key: try #require(policy.keys[a.fingerprint]), reason: .exportOnly)],
        rules: []
      )
    ) { try policy.accept(garbage, at: now) }
  }

  @Test func `of what stands against a key the withdrawal is told first, then the purpose`() throws
  {
    let (a, _, _) = try Samples.signers()
    let key = a.trusted(until: Samples.time(-1))
    let ended = try TrustPolicy().adding([key], for: ModelPattern("*"), threshold: 1)
    #expect(ended.objection(to: key, at: now) == .ended(Samples.time(-1)))
    let exports = try TrustPolicy().adding(exportOnly: [key])
    let exporter = try #require(exports.keys[a.fingerprint])
    #expect(exports.objection(to: exporter, at: now) == .exportOnly)
    let withdrawn = exports.withdrawing(a.fingerprint, reason: "lost")
    #expect(withdrawn.objection(to: exporter, at: now) == .withdrawn("lost"))
  }

  @Test func `the keys of a rule that count are those against which nothing stands`() throws {
    let (a, b, c) = try Samples.signers()
    let policy = try TrustPolicy()
      .adding(
        [a.trusted(), b.trusted(until: now), c.trusted()],
        for: ModelPattern("*"),
        threshold: 2
      )
      .withdrawing(c.fingerprint, reason: "lost")
    let rule = policy.rules[0]
    #expect(Set(policy.countingKeys(of: rule, at: now).map(\.name)) == ["a", "b"])
    #expect(policy.countingKeys(of: rule, at: Samples.time(1)).map(\.name) == ["a"])
  }
}
