package import Digests

/// A DSSE 1.0.2 envelope: a payload, the name of its type, and signatures over both.
///
/// It holds the raw bytes of the payload, so that what was verified is what is parsed. Until
/// `signers(among:)` has answered, nothing in it is known to come from anybody.
package struct Envelope: Equatable, Sendable {
  /// The most bytes of an envelope: 16 MiB.
  package static let maximumSize = 16 << 20
  package static let maximumSignatureCount = 64
  /// The type of the payload of a manifest: an in-toto Statement.
  package static let statementType = "application/vnd.in-toto+json"

  package let payloadType: String
  package let payload: [UInt8]
  package internal(set) var signatures: [EnvelopeSignature]

  /// Wraps a payload that nobody has signed yet.
  package init(payloadType: String = statementType, payload: [UInt8]) {
    self.init(payloadType: payloadType, payload: payload, signatures: [])
  }

  init(payloadType: String, payload: [UInt8], signatures: [EnvelopeSignature]) {
    self.payloadType = payloadType
    self.payload = payload
    self.signatures = signatures
  }

  /// Wraps the manifest of `release`; throws what a reader would refuse.
  ///
  /// That is an envelope of more than 16 MiB, and texts or a provenance that strict JSON doesn't take.
  package init(release: Release) throws(ManifestError) {
    self.init(payload: release.encode())
    // Room for base64 and for as many signatures as an envelope may carry.
    let room = Self.maximumSignatureCount * 512
    guard payload.count / 3 * 4 + room < Self.maximumSize else {
      throw .release(.manifestTooLarge(limit: Self.maximumSize))
    }
    _ = try Release(payload: payload)
  }

  /// Whether the payload says that it is an in-toto Statement; ask only after verification.
  package var isStatement: Bool { payloadType.utf8.elementsEqual(Self.statementType.utf8) }

  /// The SHA-256 of the payload, which stays the same whoever signs.
  package var payloadDigest: SHA256Digest { SHA256Digest(of: payload) }

  /// Reads the manifest in the payload; throws `payload` for another type or another form.
  ///
  /// Signatures are not looked at: who acts on the result has asked `signers(among:)` of this same
  /// value before.
  package func release() throws(ManifestError) -> Release {
    guard isStatement else {
      throw .payload(
        .unexpected(path: "payloadType", expected: Self.statementType, found: payloadType)
      )
    }
    return try Release(payload: payload)
  }

  package static func == (one: Envelope, other: Envelope) -> Bool {
    one.payloadType.utf8.elementsEqual(other.payloadType.utf8) && one.payload == other.payload
      && one.signatures == other.signatures
  }
}

/// A signature as it stands in an envelope: bytes that nobody has checked, with a hint about the
/// key.
package struct EnvelopeSignature: Hashable, Sendable {
  /// The fingerprint of the key, or whatever else the signer wrote; empty if there was none.
  ///
  /// It proves nothing.
  package let keyID: String
  /// 64 bytes if it is one of Ed25519, and any other count if it isn't.
  package let bytes: [UInt8]

  package init(keyID: String, bytes: [UInt8]) {
    self.keyID = keyID
    self.bytes = bytes
  }
}
