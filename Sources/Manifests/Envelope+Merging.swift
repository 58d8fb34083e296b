package import Signatures

extension Envelope {
  /// Returns the envelope with the signatures of `others` added, one for each key; the payload stays as it is.
  ///
  /// With `keys`, each signature of each envelope must verify with one of them, and is kept under the fingerprint of
  /// that key. Without, nothing is verified: signatures count as those of the keys that they name, and two that
  /// contradict each other are refused.
  /// - Throws: `signing` with ``SigningProblem/otherPayload(expected:found:)``, `notByAnyKey`, `unnamed`, `contradiction`
  ///   or `tooManySignatures`; the index says in which envelope, with 0 for this one.
  package func merging(
    _ others: [Envelope],
    verifyingWith keys: [PublicKey]?
  ) throws(MergeFailure) -> Envelope {
    var union = SignatureUnion(message: signedBytes, keys: keys)
    for (index, envelope) in ([self] + others).enumerated() {
      do throws(SigningProblem) {
        guard envelope.payload == payload, envelope.hasType(of: self) else {
          throw SigningProblem.otherPayload(
            expected: payloadDigest,
            found: envelope.payloadDigest
          )
        }
        for (number, signature) in envelope.signatures.enumerated() {
          try union.add(signature, number: number + 1)
        }
      } catch {
        throw MergeFailure(index: index, problem: error)
      }
    }
    return Envelope(payloadType: payloadType, payload: payload, signatures: union.signatures)
  }

  private func hasType(of other: Envelope) -> Bool {
    payloadType.utf8.elementsEqual(other.payloadType.utf8)
  }
}

/// Why envelopes can't be merged, and at which of them that was seen.
package struct MergeFailure: Error, Equatable, Sendable {
  /// The place among the envelopes; 0 is the one that the others are merged into.
  package let index: Int
  package let problem: SigningProblem

  package init(index: Int, problem: SigningProblem) {
    (self.index, self.problem) = (index, problem)
  }
}

/// Signatures over one message, each of another key.
private struct SignatureUnion {
  private let message: [UInt8]
  private let keys: [PublicKey]?
  private var bytes: [Fingerprint: [UInt8]] = [:]
  private(set) var signatures: [EnvelopeSignature] = []

  init(message: [UInt8], keys: [PublicKey]?) { (self.message, self.keys) = (message, keys) }

  mutating func add(_ signature: EnvelopeSignature, number: Int) throws(SigningProblem) {
    let signer = try signer(of: signature, number: number)
    if let known = bytes[signer] {
      // Whoever has the key may sign twice in two ways; names alone allow no such thing.
      guard keys != nil || known == signature.bytes else { throw .contradiction(signer) }
      return
    }
    guard signatures.count < Envelope.maximumSignatureCount else {
      throw .tooManySignatures(limit: Envelope.maximumSignatureCount)
    }
    bytes[signer] = signature.bytes
    signatures.append(EnvelopeSignature(keyID: signer.description, bytes: signature.bytes))
  }

  private func signer(
    of signature: EnvelopeSignature,
    number: Int
  ) throws(SigningProblem) -> Fingerprint {
    let made = Signature(bytes: signature.bytes)
    guard let keys else {
      guard made != nil, let name = Fingerprint(signature.keyID) else {
        throw .unnamed(number: number)
      }
      return name
    }
    guard let made, let key = keys.first(where: { $0.verifies(made, of: message) }) else {
      throw .notByAnyKey(number: number, claimed: signature.keyID)
    }
    return key.fingerprint
  }
}
