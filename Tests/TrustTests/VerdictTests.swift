import Digests
import Manifests
import ReleaseSimulator
import Signatures
import StrictJSON
import Testing
import Trust

/// A verdict tells what led to a decision, and decides nothing by itself.
struct VerdictTests {
  private let now = Samples.now

  private typealias Signer = TrustVerdict.Signer

  @Test func `each key of the rule and each that signed has its standing`() throws {
    let (a, b, c) = try Samples.signers()
    let (d, e) = (try SimulatedSigner("d"), try SimulatedSigner("e"))
    let policy = try TrustPolicy()
      .adding([a, b, c].map { $0.trusted() }, for: ModelPattern("tiny"), threshold: 1)
      .adding([d.trusted()], for: ModelPattern("*"), threshold: 1)
      .withdrawing(b.fingerprint, reason: "lost")
    let release = try Samples.release()
    let verdict = policy.verdict(on: try release.manifest(signedBy: [e, d, b, a]), at: now)
    #expect(verdict.accepted?.signers == [a.trusted()])
    #expect(verdict.refusal == nil)
    #expect(verdict.digest == (try release.digest()))
    #expect(verdict.release == (try release.release()))
    #expect(verdict.rule == policy.rules[0])
    let signed = [
      Signer(key: a.trusted(), standing: .counts),
      Signer(key: b.trusted(), standing: .ignored(.withdrawn("lost"))),
      Signer(key: d.trusted(), standing: .ignored(.notInRule)),
    ].sorted { $0.key.fingerprint < $1.key.fingerprint }
    #expect(verdict.signers == signed + [Signer(key: c.trusted(), standing: .absent)])
    #expect(verdict.unproven == [e.fingerprint.description])
  }

  @Test func `nothing is told of a manifest that nobody trusted has signed`() throws {
    let (a, b, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a])
    let bytes = try Samples.release().manifest(signedBy: [b])
    let verdict = policy.verdict(on: bytes, at: now)
    #expect(verdict.refusal == .untrustedSigner(claimed: [b.fingerprint.description]))
    #expect(verdict.release == nil && verdict.rule == nil && verdict.signers.isEmpty)
    #expect(verdict.digest == (try Samples.release().digest()))
  }

  @Test func `whether a signature is proven is told by its bytes, not by its name`() throws {
    let (a, b, c) = try Samples.signers()
    let release = try Samples.release()
    let made = try release.envelope(signedBy: [a, b])
    let (good, bad) = (made.signatures[0].bytes, made.signatures[1].bytes)
    let named = [
      ("", good), (a.fingerprint.description, bad), ("x", bad), (c.fingerprint.description, good),
      (a.fingerprint.description, [1, 2, 3]),
    ]
    let bytes = JSONWriter.compact([
      "payload": .string(Base64.encode(made.payload)), "payloadType": .string(made.payloadType),
      "signatures": .array(
        named.map { ["keyid": .string($0.0), "sig": .string(Base64.encode($0.1))] }
      ),
    ])
    let verdict = try TrustPolicy.trusting([a, c]).verdict(on: bytes, at: now)
    #expect(verdict.accepted?.signers == [a.trusted()])
    let name = a.fingerprint.description
    #expect(verdict.unproven == [name, "x", name])
  }

  @Test func `a signer of what was refused unread has not been asked`() throws {
    let (a, b, _) = try Samples.signers()
    let release = try Samples.release()
    let policy = try TrustPolicy.trusting([a, b], threshold: 2)
      .withdrawing(try release.digest(), reason: "wrong")
      .withdrawing(b.fingerprint, reason: "lost")
    let verdict = policy.verdict(on: try release.manifest(signedBy: [a, b]), at: now)
    #expect(verdict.refusal == .withdrawnManifest(try release.digest(), reason: "wrong"))
    #expect(verdict.release == nil)
    let expected = [
      Signer(key: a.trusted(), standing: .undecided),
      Signer(key: b.trusted(), standing: .ignored(.withdrawn("lost"))),
    ].sorted { $0.key.fingerprint < $1.key.fingerprint }
    #expect(verdict.signers == expected)
  }

  @Test func `bytes that are no envelope have nothing but a refusal`() throws {
    let (a, _, _) = try Samples.signers()
    let verdict = try TrustPolicy.trusting([a]).verdict(on: Array("{}".utf8), at: now)
    guard case .noEnvelope = verdict.refusal else {
      Issue.record("\(String(describing: verdict.refusal))")
      return
    }
    #expect(verdict.digest == nil && verdict.accepted == nil && verdict.unproven.isEmpty)
  }

  @Test func `a verdict is the decision of acceptance, whatever the manifest`() throws {
    let (a, b, c) = try Samples.signers()
    let release = try Samples.release(expires: Samples.time(10))
    let policies = [
      TrustPolicy(), try .trusting([a]), try .trusting([a, b], threshold: 2),
      try .trusting([a], for: "other"),
      try .trusting([a]).withdrawing(a.fingerprint, reason: "x"),
      try .trusting([a]).withdrawing(try release.digest(), reason: "x"),
      try TrustPolicy.trusting([b]).adding(exportOnly: [a.trusted()]),
    ]
    for policy in policies {
      for signers in [[], [a], [b], [a, b], [b, c], [c]] {
        let bytes = try release.manifest(signedBy: signers)
        for time in [now, Samples.time(10)] {
          let verdict = policy.verdict(on: bytes, at: time)
          do {
            let accepted = try policy.accept(bytes, at: time)
            #expect(verdict.accepted == accepted && verdict.refusal == nil)
          } catch {
            #expect(verdict.accepted == nil && verdict.refusal == error)
          }
        }
      }
    }
  }
}
