import Manifests
import Publishing
import Signatures
import TestSupport
import Testing
import Trust

/// A signer whose hand slips.
private struct WrongSigner: Signer {
  let publicKey: PublicKey
  func sign(_ message: [UInt8]) throws -> Signature {
    try sampleKey(9).sign(message)
  }
}

@Suite(.temporaryFolder)
struct ManifestSigningTests {
  private func envelope() throws -> Envelope {
    try write(SampleModel.gguf(), to: "a.gguf")
    return try ReleaseBuilder.build(["a.gguf"], .sample()).envelope()
  }

  private func trusted(_ numbers: UInt8...) throws -> [TrustedKey] {
    try numbers.map { TrustedKey(publicKey: try sampleKey($0).publicKey, name: "\($0)") }
  }

  private let now = FixedClock().seconds

  @Test func `signatures are added, and leave the payload as it is`() throws {
    let envelope = try envelope()
    let signed = try envelope.signed(by: try sampleKey(1)).signed(by: try sampleKey(2))
    #expect(signed.payload == envelope.payload)
    #expect(signed.signatures.count == 2)
  }

  @Test func `a key signs once`() throws {
    let key = try sampleKey(1)
    let signed = try envelope().signed(by: key)
    #expect(throws: ManifestError.signing(.alreadySigned(key.publicKey.fingerprint))) {
      try signed.signed(by: key)
    }
  }

  @Test func `what a signer makes is verified before it is taken`() throws {
    let signer = WrongSigner(publicKey: try sampleKey(1).publicKey)
    #expect(throws: KeyError.signatureDoesNotVerify(by: signer.publicKey.fingerprint)) {
      try envelope().signed(by: signer)
    }
  }

  @Test func `what is no manifest is not signed`() throws {
    let envelope = Envelope(payload: Array("{}".utf8))
    #expect(throws: ManifestError.self) { try envelope.signed(by: try sampleKey(1)) }
  }

  @Test func `a threshold counts the keys that signed`() throws {
    let time = try #require(Timestamp(seconds: now))
    let signed = try envelope().signed(by: try sampleKey(1)).signed(by: try sampleKey(2))
    let bytes = signed.encode()
    let both = try ManifestCheck(keys: try trusted(1, 2, 3), threshold: 2)
    #expect(try both.accept(bytes, at: time).signers.count == 2)
    let three = try ManifestCheck(keys: try trusted(1, 2, 3), threshold: 3)
    #expect(throws: TrustError.self) { try three.accept(bytes, at: time) }
    #expect(throws: TrustError.badThreshold(2, keys: 1)) {
      try ManifestCheck(keys: try trusted(1), threshold: 2)
    }
    #expect(throws: TrustError.repeatedKey(try sampleKey(1).publicKey.fingerprint)) {
      try ManifestCheck(keys: try trusted(1, 1), threshold: 2)
    }
  }
}
