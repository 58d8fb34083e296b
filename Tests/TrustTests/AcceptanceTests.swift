import Digests
import Manifests
import ReleaseSimulator
import Signatures
import StrictJSON
import Testing
import Trust

struct AcceptanceTests {
  private let now = Samples.now

  @Test func `a manifest that a trusted key signed is accepted with all that was found out`() throws
  {
    let (a, b, _) = try Samples.signers()
    let release = try Samples.release()
    let policy = try TrustPolicy.trusting([a], for: "tiny")
    let bytes = try release.manifest(signedBy: [b, a])
    let accepted = try policy.accept(bytes, at: now)
    #expect(accepted.release == (try release.release()))
    #expect(accepted.envelopeBytes == bytes)
    #expect(accepted.digest == (try release.digest()))
    #expect(accepted.signers == [a.trusted()])
    #expect(accepted.rule == policy.rules.first)
  }

  @Test func `signers stand in the order of their fingerprints, whoever signed first`() throws {
    let (a, b, c) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a, b, c], threshold: 3)
    let expected = [a, b, c].sorted { $0.fingerprint < $1.fingerprint }.map { $0.trusted() }
    for order in [[a, b, c], [c, b, a], [b, c, a]] {
      let bytes = try Samples.release().manifest(signedBy: order)
      #expect(try policy.accept(bytes, at: now).signers == expected)
    }
  }

  @Test func `the policy that trusts nobody accepts nothing`() throws {
    let (a, _, _) = try Samples.signers()
    let bytes = try Samples.release().manifest(signedBy: [a])
    #expect(throws: TrustError.untrustedSigner(claimed: [a.fingerprint.description])) {
      try TrustPolicy().accept(bytes, at: now)
    }
  }

  @Test func `a manifest that nobody signed is refused`() throws {
    let (a, _, _) = try Samples.signers()
    let bytes = try Samples.release().manifest(signedBy: [])
    #expect(throws: TrustError.untrustedSigner(claimed: [])) {
      try TrustPolicy.trusting([a]).accept(bytes, at: now)
    }
  }

  @Test func `bytes that are no envelope were signed by nobody`() throws {
    let (a, _, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a])
    let empty = JSONSyntaxError(offset: 0, problem: .truncated)
    #expect(throws: TrustError.noEnvelope(.envelope(.syntax(empty)))) {
      try policy.accept([], at: now)
    }
    let bare = try Samples.release().release().encode()
    let missing = JSONShapeError(path: "signatures", problem: .missing)
    #expect(throws: TrustError.noEnvelope(.envelope(.shape(missing)))) {
      try policy.accept(bare, at: now)
    }
  }

  @Test func `an unknown key is refused under whatever name it signs`() throws {
    let (a, b, _) = try Samples.signers()
    let envelope = try Samples.release().envelope(signedBy: [b])
    let bytes = envelope.bytes([(a.fingerprint.description, envelope.signatures[0].bytes)])
    #expect(throws: TrustError.brokenSignature([a.trusted()])) {
      try TrustPolicy.trusting([a]).accept(bytes, at: now)
    }
  }

  @Test func `a changed manifest is told apart from one of an unknown signer`() throws {
    let (a, b, c) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a, b])
    let signed = try Samples.release().envelope(signedBy: [a, c])
    let names = signed.signatures.map { ($0.keyID, $0.bytes) }
    let changed = Envelope(payload: signed.payload + [UInt8(ascii: " ")]).bytes(names)
    #expect(throws: TrustError.brokenSignature([a.trusted()])) {
      try policy.accept(changed, at: now)
    }
  }

  @Test(arguments: ["", "SHA256:none", "release key"])
  func `the name of a signature decides nothing`(name: String) throws {
    let (a, _, _) = try Samples.signers()
    let envelope = try Samples.release().envelope(signedBy: [a])
    let bytes = envelope.bytes([(name, envelope.signatures[0].bytes)])
    #expect(try TrustPolicy.trusting([a]).accept(bytes, at: now).signers == [a.trusted()])
  }

  @Test func `a signature of 63 or 65 bytes counts for nothing`() throws {
    let (a, _, _) = try Samples.signers()
    let envelope = try Samples.release().envelope(signedBy: [a])
    let signature = envelope.signatures[0].bytes
    for wrong in [Array(signature.dropLast()), signature + [0], []] {
      #expect(throws: TrustError.untrustedSigner(claimed: ["x"])) {
        try TrustPolicy.trusting([a]).accept(envelope.bytes([("x", wrong)]), at: now)
      }
    }
  }

  @Test func `one flipped bit anywhere in payload or signature refuses`() throws {
    let (a, _, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a])
    let envelope = try Samples.release().envelope(signedBy: [a])
    let (payload, signature) = (envelope.payload, envelope.signatures[0].bytes)
    let refusal = TrustError.untrustedSigner(claimed: ["x"])
    for index in payload.indices {
      var wrong = payload
      wrong[index] ^= 1 << UInt8(index % 8)
      let bytes = Envelope(payload: wrong).bytes([("x", signature)])
      #expect(error { () throws(TrustError) in try policy.accept(bytes, at: now) } == refusal)
    }
    for index in signature.indices {
      var wrong = signature
      wrong[index] ^= 1 << UInt8(index % 8)
      let bytes = envelope.bytes([("x", wrong)])
      #expect(error { () throws(TrustError) in try policy.accept(bytes, at: now) } == refusal)
    }
  }

  @Test func `a signature is bound to the type of the payload`() throws {
    let (a, _, _) = try Samples.signers()
    let envelope = try Samples.release().envelope(signedBy: [a])
    let other = Envelope(payloadType: "text/plain", payload: envelope.payload)
    let bytes = other.bytes([("x", envelope.signatures[0].bytes)])
    #expect(throws: TrustError.untrustedSigner(claimed: ["x"])) {
      try TrustPolicy.trusting([a]).accept(bytes, at: now)
    }
  }
}

// What a trusted key signed and that is no manifest.
extension AcceptanceTests {
  @Test func `a payload of another type under a good signature is unusable, not untrusted`() throws
  {
    let (a, _, _) = try Samples.signers()
    let payload = try Samples.release().release().encode()
    let envelope = try Envelope(payloadType: "text/plain", payload: payload).signed(by: [a])
    let problem = DocumentProblem.unexpected(
      path: "payloadType",
      expected: "application/vnd.in-toto+json",
      found: "text/plain"
    )
    #expect(throws: TrustError.unusable(.payload(problem))) {
      try TrustPolicy.trusting([a]).accept(envelope.encode(), at: now)
    }
  }

  @Test func `a malformed payload under a good signature is unusable`() throws {
    let (a, _, _) = try Samples.signers()
    let envelope = try Envelope(payload: Array("{]".utf8)).signed(by: [a])
    let syntax = JSONSyntaxError(offset: 1, problem: .unexpectedByte(UInt8(ascii: "]")))
    #expect(throws: TrustError.unusable(.payload(.syntax(syntax)))) {
      try TrustPolicy.trusting([a]).accept(envelope.encode(), at: now)
    }
  }

  @Test func `nothing is parsed for a signer that nobody trusts`() throws {
    let (a, b, _) = try Samples.signers()
    let envelope = try Envelope(payload: Array("{]".utf8)).signed(by: [b])
    #expect(throws: TrustError.untrustedSigner(claimed: [b.fingerprint.description])) {
      try TrustPolicy.trusting([a]).accept(envelope.encode(), at: now)
    }
  }
}

extension Envelope {
  /// Writes the envelope with any signatures at all.
  func bytes(_ signatures: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    JSONWriter.compact([
      "payload": .string(Base64.encode(payload)),
      "payloadType": .string(payloadType),
      "signatures": .array(
        signatures.map { ["keyid": .string($0.name), "sig": .string(Base64.encode($0.bytes))] }
      ),
      "comment": "unknown members are ignored",
    ])
  }
}
