import Digests
import Manifests
import ReleaseSimulator
import Signatures
import Testing
import Trust

/// What is withdrawn is refused, whoever signed it, until that is taken back.
struct WithdrawalTests {
  private let now = Samples.now

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

  @Test func `a withdrawn manifest is refused before it is read`() throws {
    let (a, _, _) = try Samples.signers()
    let envelope = try Envelope(payload: Array("{]".utf8)).signed(by: [a])
    let policy = try TrustPolicy.trusting([a]).withdrawing(envelope.payloadDigest, reason: "no")
    #expect(throws: TrustError.withdrawnManifest(envelope.payloadDigest, reason: "no")) {
      try policy.accept(envelope.encode(), at: now)
    }
  }

  @Test func `a withdrawal is taken back, and then the signers decide again`() throws {
    let (a, _, _) = try Samples.signers()
    let release = try Samples.release()
    let policy = try TrustPolicy.trusting([a])
    let withdrawn = policy.withdrawing(a.fingerprint, reason: "lost")
      .withdrawing(try release.digest(), reason: "wrong")
    #expect(withdrawn != policy)
    let back = try withdrawn.restoring(a.fingerprint).restoring(release.digest())
    #expect(back == policy)
    #expect(throws: Never.self) { try back.accept(release.manifest(signedBy: [a]), at: now) }
  }

  @Test func `a broken signature under a key that counts is told before a withdrawn one`() throws {
    let (a, b, _) = try Samples.signers()
    let envelope = try Samples.release().envelope(signedBy: [a])
    let broken = [UInt8](repeating: 1, count: 64)
    let (old, new) = (a.fingerprint.description, b.fingerprint.description)
    let policy = try TrustPolicy.trusting([a, b]).withdrawing(a.fingerprint, reason: "stolen")
    let key = try #require(policy.keys[b.fingerprint])
    #expect(throws: TrustError.brokenSignature([key])) {
      try policy.accept(envelope.bytes([(old, broken), (new, broken)]), at: now)
    }
    #expect(throws: TrustError.withdrawnSigner([a.fingerprint: "stolen"], by: nil)) {
      try policy.accept(envelope.bytes([(old, broken)]), at: now)
    }
  }

  @Test func `a second withdrawal replaces the reason`() throws {
    let (a, _, _) = try Samples.signers()
    let policy = TrustPolicy().withdrawing(a.fingerprint, reason: "lost")
      .withdrawing(a.fingerprint, reason: "stolen")
    #expect(policy.withdrawnKeys == [a.fingerprint: "stolen"])
  }

  @Test func `what is not withdrawn cannot be taken back`() throws {
    let (a, b, _) = try Samples.signers()
    let digest = try Samples.release().digest()
    let policy = TrustPolicy().withdrawing(b.fingerprint, reason: "lost")
    #expect(throws: TrustError.keyNotWithdrawn(a.fingerprint)) {
      try policy.restoring(a.fingerprint)
    }
    #expect(throws: TrustError.manifestNotWithdrawn(digest)) { try policy.restoring(digest) }
  }

  @Test func `a key that nobody trusts can be withdrawn, and is not added then`() throws {
    let (a, _, _) = try Samples.signers()
    let policy = TrustPolicy().withdrawing(a.fingerprint, reason: "known to be stolen")
    let refusal = TrustError.withdrawnKey(a.fingerprint, reason: "known to be stolen")
    #expect(throws: refusal) {
      try policy.adding([a.trusted()], for: ModelPattern("*"), threshold: 1)
    }
    #expect(throws: refusal) { try policy.adding(exportOnly: [a.trusted()]) }
  }
}
