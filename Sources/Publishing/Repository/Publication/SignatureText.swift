package import Signatures
import StrictJSON
package import Trust

/// A signature of one part of a change as it travels between the machines of signers: `{"keyid":"…","sig":"…"}`.
package struct SignatureText: Hashable, Sendable {
  private static let limit = 4_096

  package let keyID: KeyID
  package let signature: Signature

  /// Names the key of a signature.
  package init(_ signature: Signature, by key: PublicKey) {
    (self.signature, keyID) = (signature, MetadataKey(key).id)
  }

  /// Reads the text; nobody has verified the signature.
  ///
  /// - Throws: ``RepositoryProblem/badImport(_:)`` with what is wrong.
  package init(parsing bytes: [UInt8]) throws(RepositoryProblem) {
    let members: JSONMembers<JSONShapeError>
    do {
      members = try JSONMembers(
        document: try JSONReader.parse(bytes, limits: JSONLimits(bytes: Self.limit))
      )
      keyID = KeyID(try members.string("keyid"))
      guard let signature = try Signature(printed: Array(members.string("sig").utf8)) as Signature?
      else { throw RepositoryProblem.badImport("sig is no signature") }
      self.signature = signature
    } catch let error as JSONShapeError {
      throw .badImport("\(error)")
    } catch {
      throw .badImport("it is no {\"keyid\": …, \"sig\": …}")
    }
  }

  /// The text, with a newline at the end.
  package func encode() -> [UInt8] {
    let hex = MetadataSignature(keyID: keyID, bytes: signature.bytes).hex
    return JSONWriter.canonical(["keyid": .string(keyID.text), "sig": .string(hex)])
      + [UInt8(ascii: "\n")]
  }
}

extension RepositoryDraft {
  /// Adds a signature that was made elsewhere to the part that it fits.
  ///
  /// - Returns: The part, and who signed it.
  /// - Throws: ``RepositoryProblem``: a key that has no say, one that has signed, or a signature of other bytes.
  package mutating func attach(
    _ text: SignatureText,
    to stated: DraftPart?
  ) throws(RepositoryProblem) -> (part: DraftPart, key: PublicKey) {
    let tables = [nextRoot?.keys, base?.root.contents.keys].compactMap(\.self)
    guard let key = tables.compactMap({ $0[text.keyID]?.publicKey }).first else {
      throw .badImport("no role of the repository knows the key \(text.keyID.text)")
    }
    let candidates = stated.map { [$0] } ?? parts
    guard
      let part = candidates.first(where: { part in
        signedBytes(part).map { key.verifies(text.signature, of: $0) } ?? false
      })
    else {
      throw .badImport(
        "the signature of \(key.fingerprint) fits no part of the change that waits"
      )
    }
    try add(text.signature, by: key, to: part)
    return (part, key)
  }
}
