import Manifests
import Signatures
import StrictJSON
import Testing

struct EnvelopeMergingTests {
  private let bare: Envelope
  private let byFirst: Envelope
  private let bySecond: Envelope

  init() throws {
    bare = try Envelope(release: Samples.smallRelease())
    byFirst = try Self.signed(bare, by: Keys.first, seed: Keys.firstSeed)
    bySecond = try Self.signed(bare, by: Keys.second, seed: Keys.secondSeed)
  }

  private static func signed(
    _ envelope: Envelope,
    by key: PublicKey,
    seed: [UInt8]
  ) throws -> Envelope {
    try envelope.adding(Keys.sign(envelope.signedBytes, seed: seed), by: key)
  }

  /// Returns the same payload under signatures that nobody looked at.
  private func carrying(_ signatures: [EnvelopeSignature]) throws -> Envelope {
    try Envelope(
      parsing: JSONWriter.compact([
        "payload": .string(Base64.encode(bare.payload)),
        "payloadType": .string(bare.payloadType),
        "signatures": .array(
          signatures.map {
            ["keyid": .string($0.keyID), "sig": .string(Base64.encode($0.bytes))]
          }
        ),
      ])
    )
  }

  private func name(_ key: PublicKey) -> String { key.fingerprint.description }

  @Test(arguments: [nil, [Keys.first, Keys.second]])
  func `signatures come together, one for each key`(keys: [PublicKey]?) throws {
    let merged = try byFirst.merging([bySecond, byFirst, bare], verifyingWith: keys)
    #expect(merged.payload == bare.payload)
    #expect(merged.signatures == byFirst.signatures + bySecond.signatures)
    #expect(merged.signers(among: [Keys.first, Keys.second]) == [Keys.first, Keys.second])
  }

  @Test func `with keys, a signature is kept under the fingerprint of its key`() throws {
    let bytes = bySecond.signatures[0].bytes
    let misnamed = try carrying([EnvelopeSignature(keyID: name(Keys.first), bytes: bytes)])
    let merged = try byFirst.merging([misnamed], verifyingWith: [Keys.first, Keys.second])
    #expect(merged.signatures == byFirst.signatures + bySecond.signatures)
  }

  @Test func `another payload, and the same under another type, is refused at its place`() throws {
    let other = Envelope(payload: bare.payload + [0x20])
    #expect(
      throws: MergeFailure(
        index: 2,
        problem: .otherPayload(expected: bare.payloadDigest, found: other.payloadDigest)
      )
    ) {
      try byFirst.merging([bySecond, other], verifyingWith: nil)
    }
    let retyped = Envelope(payloadType: "application/x", payload: bare.payload)
    #expect(
      throws: MergeFailure(
        index: 1,
        problem: .otherPayload(expected: bare.payloadDigest, found: bare.payloadDigest)
      )
    ) {
      try byFirst.merging([retyped], verifyingWith: nil)
    }
  }

  @Test func `with keys, a signature by none of them is refused`() throws {
    #expect(
      throws: MergeFailure(index: 1, problem: .notByAnyKey(number: 1, claimed: name(Keys.second)))
    ) {
      try byFirst.merging([bySecond], verifyingWith: [Keys.first])
    }
    let short = EnvelopeSignature(keyID: name(Keys.first), bytes: [1, 2, 3])
    let damaged = try carrying(byFirst.signatures + [short])
    #expect(
      throws: MergeFailure(index: 0, problem: .notByAnyKey(number: 2, claimed: name(Keys.first)))
    ) {
      try damaged.merging([], verifyingWith: [Keys.first])
    }
  }

  @Test func `without keys, a signature must have 64 bytes and name a key`() throws {
    let bytes = byFirst.signatures[0].bytes
    for odd in [
      EnvelopeSignature(keyID: "release", bytes: bytes),
      EnvelopeSignature(keyID: name(Keys.first), bytes: Array(bytes.dropLast())),
    ] {
      #expect(throws: MergeFailure(index: 1, problem: .unnamed(number: 1))) {
        try bySecond.merging([carrying([odd])], verifyingWith: nil)
      }
    }
  }

  @Test func `without keys, two signatures under one name contradict each other`() throws {
    let forged = EnvelopeSignature(keyID: name(Keys.first), bytes: bySecond.signatures[0].bytes)
    #expect(throws: MergeFailure(index: 1, problem: .contradiction(Keys.first.fingerprint))) {
      try byFirst.merging([carrying([forged])], verifyingWith: nil)
    }
  }

  @Test func `more than 64 signatures do not come together`() throws {
    let many = try carrying(
      (0..<64).map { number in
        let raw = [UInt8(number)] + [UInt8](repeating: 7, count: 31)
        let print = Base64.encode(raw).prefix { $0 != "=" }
        return EnvelopeSignature(keyID: "SHA256:\(print)", bytes: byFirst.signatures[0].bytes)
      }
    )
    #expect(throws: MergeFailure(index: 1, problem: .tooManySignatures(limit: 64))) {
      try many.merging([bySecond], verifyingWith: nil)
    }
  }
}
