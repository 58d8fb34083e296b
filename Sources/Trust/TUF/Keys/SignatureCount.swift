import Signatures

/// Which keys of a role have signed something, and why the others do not count.
package struct SignatureCount: Equatable, Sendable {
  /// A key of the role that does not count, and why.
  package struct Ignored: Equatable, Sendable {
    /// Why a key does not count.
    package enum Reason: Equatable, Sendable {
      /// The role names a key that is not listed.
      case unlisted
      case faulty(KeyFault)
      case unsigned
      /// Somebody else made the signature under its name, or it was made of other bytes.
      case wrongSignature
      /// It is the same key as the one under another name, which counts.
      case sameKey(as: KeyID)
    }

    package let id: KeyID
    package let reason: Reason

    package init(id: KeyID, reason: Reason) { (self.id, self.reason) = (id, reason) }
  }

  package let threshold: Int
  /// One name for each distinct public key that has signed.
  package let counted: [KeyID]
  package let ignored: [Ignored]

  package init(threshold: Int, counted: [KeyID], ignored: [Ignored]) {
    (self.threshold, self.counted, self.ignored) = (threshold, counted, ignored)
  }

  package var isMet: Bool { counted.count >= threshold }
}

extension RoleKeys {
  /// Counts who has signed, by the keys of the role and never by the signatures (5.3.4, 5.4.2 and their like).
  ///
  /// Distinct public keys count, whatever their names and spellings; one broken signature spoils nothing.
  package func count(
    _ signatures: [MetadataSignature],
    over message: [UInt8],
    keys: KeyTable
  ) -> SignatureCount {
    let made = Dictionary(signatures.map { ($0.keyID, $0) }) { first, _ in first }
    var signers: [VerifyingKey: KeyID] = [:]
    var counted: [KeyID] = []
    var ignored: [SignatureCount.Ignored] = []
    var seen: Set<KeyID> = []
    for id in keyIDs where seen.insert(id).inserted {
      do throws(Refused) {
        let key = try Self.signer(id, of: message, signature: made[id], keys: keys)
        if let other = signers[key] { throw Refused(reason: .sameKey(as: other)) }
        signers[key] = id
        counted.append(id)
      } catch {
        ignored.append(SignatureCount.Ignored(id: id, reason: error.reason))
      }
    }
    return SignatureCount(threshold: threshold, counted: counted, ignored: ignored)
  }

  /// Counts who has signed a file.
  package func count<Role>(_ file: SignedMetadata<Role>, keys: KeyTable) -> SignatureCount {
    count(file.signatures, over: file.signedBytes, keys: keys)
  }

  /// Counts whose keys verify any of `signatures`, where the names of signatures prove nothing, as in DSSE envelopes.
  ///
  /// Costs at most one verification for each pair of key and signature.
  package func count(
    anyOf signatures: [[UInt8]],
    over message: [UInt8],
    keys: KeyTable
  ) -> SignatureCount {
    var made: [MetadataSignature] = []
    for id in Set(keyIDs) {
      guard let key = keys[id]?.key else { continue }
      guard let bytes = signatures.first(where: { key.verifies($0, of: message) }) else { continue }
      made.append(MetadataSignature(keyID: id, bytes: bytes))
    }
    return count(made, over: message, keys: keys)
  }

  private struct Refused: Error {
    let reason: SignatureCount.Ignored.Reason
  }

  private static func signer(
    _ id: KeyID,
    of message: [UInt8],
    signature: MetadataSignature?,
    keys: KeyTable
  ) throws(Refused) -> VerifyingKey {
    guard let listed = keys[id] else { throw Refused(reason: .unlisted) }
    let key: VerifyingKey
    do throws(KeyFault) { key = try listed.usableKey() } catch {
      throw Refused(reason: .faulty(error))
    }
    guard let signature else { throw Refused(reason: .unsigned) }
    guard let bytes = signature.bytes, key.verifies(bytes, of: message) else {
      throw Refused(reason: .wrongSignature)
    }
    return key
  }
}
