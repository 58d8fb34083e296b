import Manifests
import Signatures
import Testing

/// One changed bit anywhere costs the signature.
struct TamperingTests {
  @Test func `no payload with one flipped bit has a signer`() throws {
    let envelope = try EnvelopeTests.signed()
    let signature = try #require(Signature(bytes: envelope.signatures[0].bytes))
    for index in envelope.payload.indices {
      for bit in 0..<8 {
        var payload = envelope.payload
        payload[index] ^= 1 << bit
        #expect(throws: ManifestError.signing(.doesNotVerify(Keys.first.fingerprint))) {
          try Envelope(payload: payload).adding(signature, by: Keys.first)
        }
      }
    }
  }

  @Test func `no signature with one flipped bit has a signer`() throws {
    let envelope = try EnvelopeTests.signed()
    for index in 0..<Signature.byteCount {
      for bit in 0..<8 {
        var bytes = envelope.signatures[0].bytes
        bytes[index] ^= 1 << bit
        let text = String(decoding: envelope.encode(), as: UTF8.self).replacing(
          Base64.encode(envelope.signatures[0].bytes),
          with: Base64.encode(bytes)
        )
        #expect(try Envelope(parsing: Array(text.utf8)).signers(among: [Keys.first]) == [])
      }
    }
  }

  @Test func `a file with one changed byte is refused, or says the same`() throws {
    let envelope = try EnvelopeTests.signed()
    let bytes = envelope.encode()
    var accepted = 0
    for index in bytes.indices {
      for change: UInt8 in [0x01, 0x20, 0x80] {
        var changed = bytes
        changed[index] ^= change
        guard let parsed = try? Envelope(parsing: changed),
          !parsed.signers(among: [Keys.first]).isEmpty
        else { continue }
        accepted += 1
        #expect(parsed.payload == envelope.payload)
        #expect(parsed.payloadType == envelope.payloadType)
      }
    }
    // Among the accepted are changes of the key's name, which proves nothing anyway.
    #expect(accepted > 0)
  }

  @Test func `a file cut anywhere is refused`() throws {
    let bytes = try EnvelopeTests.signed().encode()
    // Without its last byte, the newline, the document is still whole.
    for count in 0..<(bytes.count - 1) {
      #expect(throws: ManifestError.self) { try Envelope(parsing: Array(bytes.prefix(count))) }
    }
  }
}
