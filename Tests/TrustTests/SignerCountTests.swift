import Digests
import Manifests
import ReleaseSimulator
import Signatures
import Testing
import Trust

struct SignerCountTests {
  private let now = Samples.now

  @Test func `a key that no rule of the model names does not count`() throws {
    let (a, b, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a], for: "tiny")
      .adding([b.trusted()], for: ModelPattern("other"), threshold: 1)
    let rule = try #require(policy.rule(for: ModelName("tiny")))
    let bytes = try Samples.release().manifest(signedBy: [b])
    #expect(
      throws: TrustError.tooFewSigners(
        rule: rule,
        counted: [],
        ignored: [IgnoredSigner(key: b.trusted(), reason: .notInRule)]
      )
    ) { try policy.accept(bytes, at: now) }
  }

  @Test func `a model that no rule is about is refused`() throws {
    let (a, _, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a], for: "other-*")
    let bytes = try Samples.release().manifest(signedBy: [a])
    #expect(throws: TrustError.noRule(try ModelName("tiny"))) {
      try policy.accept(bytes, at: now)
    }
  }

  @Test func `a threshold counts distinct keys, however often and under whatever names one signs`()
    throws
  {
    let (a, b, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a, b], threshold: 2)
    let envelope = try Samples.release().envelope(signedBy: [a])
    let signature = envelope.signatures[0].bytes
    let twice = envelope.bytes([
      (a.fingerprint.description, signature), (b.fingerprint.description, signature),
      ("", signature),
    ])
    let refusal = TrustError.tooFewSigners(
      rule: policy.rules[0],
      counted: [a.fingerprint],
      ignored: []
    )
    #expect(throws: refusal) { try policy.accept(twice, at: now) }
    let both = try b.sign(envelope).encode()
    #expect(try policy.accept(both, at: now).signers.count == 2)
  }

  @Test func `signatures of strangers neither help nor hurt`() throws {
    let (a, b, c) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a, b], threshold: 2)
    let release = try Samples.release()
    #expect(
      throws: TrustError.tooFewSigners(
        rule: policy.rules[0],
        counted: [a.fingerprint],
        ignored: []
      )
    ) { try policy.accept(release.manifest(signedBy: [c, a]), at: now) }
    let signers = try policy.accept(release.manifest(signedBy: [c, a, b]), at: now).signers
    #expect(Set(signers.map(\.name)) == ["a", "b"])
  }

  @Test func `a withdrawn key does not count, and its reason is told`() throws {
    let (a, b, _) = try Samples.signers()
    let policy = try TrustPolicy(
      keys: [a.trusted(), b.trusted()],
      rules: [TrustRule(models: ModelPattern("*"), keys: [a, b].map(\.fingerprint), threshold: 1)],
      withdrawnKeys: [a.fingerprint: "lost"]
    )
    let release = try Samples.release()
    #expect(
      throws: TrustError.noCurrentSigner([
        IgnoredSigner(key: a.trusted(), reason: .withdrawn("lost"))
      ])
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
      throws: TrustError.noCurrentSigner([
        IgnoredSigner(key: a.trusted(), reason: .withdrawn("stolen"))
      ])
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
    let refusal = TrustError.noCurrentSigner([IgnoredSigner(key: key, reason: .ended(now))])
    let found = error { () throws(TrustError) in
      try policy.accept(bytes, at: Samples.time(offset))
    }
    #expect(found == (counts ? nil : refusal))
  }

  @Test(arguments: [(-1, true), (0, false), (1, false)] as [(Int64, Bool)])
  func `a manifest is refused from the second of its expiry on`(
    offset: Int64,
    isAccepted: Bool
  ) throws {
    let (a, _, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a])
    let bytes = try Samples.release(expires: now).manifest(signedBy: [a])
    let time = Samples.time(offset)
    let found = error { () throws(TrustError) in try policy.accept(bytes, at: time) }
    #expect(found == (isAccepted ? nil : .expired(now, now: time)))
  }

  @Test func `a withdrawn manifest is refused in every wrapping, whoever signs it`() throws {
    let (a, b, _) = try Samples.signers()
    let release = try Samples.release()
    let digest = try release.digest()
    let policy = try TrustPolicy(
      keys: [a.trusted(), b.trusted()],
      rules: [TrustRule(models: ModelPattern("*"), keys: [a, b].map(\.fingerprint), threshold: 1)],
      withdrawnManifests: [digest: "wrong tokenizer"]
    )
    let envelope = try release.envelope(signedBy: [a])
    let refusal = TrustError.withdrawnManifest(digest, reason: "wrong tokenizer")
    for bytes in [
      envelope.encode(), envelope.bytes([("", envelope.signatures[0].bytes)]),
      try b.sign(envelope).encode(), try release.manifest(signedBy: [b]),
    ] {
      #expect(throws: refusal) { try policy.accept(bytes, at: now) }
    }
    let other = try Samples.release("other").manifest(signedBy: [a])
    #expect(throws: Never.self) { try policy.accept(other, at: now) }
  }
}
