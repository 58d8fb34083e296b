package import Signatures

extension Envelope {
  /// Returns the bytes that DSSE signs: `DSSEv1`, and type and body with their lengths in bytes.
  package static func preAuthenticationEncoding(type: String, body: [UInt8]) -> [UInt8] {
    Array("DSSEv1 \(type.utf8.count) \(type) \(body.count) ".utf8) + body
  }

  /// The bytes over which the signatures of this envelope stand.
  package var signedBytes: [UInt8] {
    Self.preAuthenticationEncoding(type: payloadType, body: payload)
  }

  /// Returns the keys among `keys` that signed, each once and in the order of `keys`.
  ///
  /// A key counts when some signature verifies with it; what the signature calls itself only
  /// decides which is tried first, and other signatures are skipped. An envelope without signatures
  /// has no signers. Costs at most one verification for each pair of key and signature.
  package func signers(among keys: [PublicKey]) -> [PublicKey] {
    let message = signedBytes
    var seen: Set<PublicKey> = []
    return keys.filter { seen.insert($0).inserted && isSigned(by: $0, message) }
  }

  /// Returns the signatures that verify with none of `keys`, in their order.
  ///
  /// What a signature calls itself plays no part: a good one under a false name is not among them, and a bad one under
  /// a good name is. Costs at most one verification for each pair of key and signature.
  package func signatures(byNoneOf keys: [PublicKey]) -> [EnvelopeSignature] {
    let message = signedBytes
    return signatures.filter { signature in !keys.contains { signature.verifies(with: $0, message) }
    }
  }

  private func isSigned(by key: PublicKey, _ message: [UInt8]) -> Bool {
    let name = key.fingerprint.description
    let named = signatures.filter { $0.keyID == name }
    let others = signatures.filter { $0.keyID != name }
    return (named + others).contains { $0.verifies(with: key, message) }
  }

  /// Returns the signatures that carry the name of one of `keys` and verify with none of them.
  ///
  /// Somebody else made them, or they were made of other bytes.
  package func forgedSignatures(among keys: [PublicKey]) -> [EnvelopeSignature] {
    let names = Set(keys.map(\.fingerprint.description))
    return signatures(byNoneOf: keys).filter { names.contains($0.keyID) }
  }

  /// Returns the envelope with one more signature, under the fingerprint of `key`.
  ///
  /// Signatures that carry this name without being by the key are left out: programs that look for a signature by its
  /// name would find them first. Throws `signing` when the signature doesn't verify, when the key has signed before, or at 64
  /// signatures.
  package func adding(_ signature: Signature, by key: PublicKey) throws(ManifestError) -> Envelope {
    let message = signedBytes
    guard !isSigned(by: key, message) else { throw .signing(.alreadySigned(key.fingerprint)) }
    var envelope = self
    let name = key.fingerprint.description
    envelope.signatures.removeAll { $0.keyID == name }
    guard envelope.signatures.count < Self.maximumSignatureCount else {
      throw .signing(.tooManySignatures(limit: Self.maximumSignatureCount))
    }
    guard key.verifies(signature, of: message) else {
      throw .signing(.doesNotVerify(key.fingerprint))
    }
    envelope.signatures.append(
      EnvelopeSignature(keyID: name, bytes: signature.bytes)
    )
    return envelope
  }
}

extension EnvelopeSignature {
  fileprivate func verifies(with key: PublicKey, _ message: [UInt8]) -> Bool {
    guard let signature = Signature(bytes: bytes) else { return false }
    return key.verifies(signature, of: message)
  }
}
