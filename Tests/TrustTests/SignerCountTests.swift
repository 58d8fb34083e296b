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
}
