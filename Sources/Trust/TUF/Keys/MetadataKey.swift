import Digests
package import Signatures
package import StrictJSON

/// A key as metadata lists it: kept with all its members, and usable or not.
///
/// A key that cannot be used makes no file malformed: it counts for nothing (see ``fault``).
package struct MetadataKey: Equatable, Sendable {
  /// The name in the list; the signatures and roles that mean this key use it.
  package let id: KeyID
  /// The key object, members that are not known included: they are hashed too.
  package let members: JSONObject

  /// Lists a key object under a name, right or wrong.
  package init(id: KeyID, members: JSONObject) { (self.id, self.members) = (id, members) }

  /// Describes an Ed25519 key as we emit it, under its right name.
  package init(_ key: PublicKey) {
    members = [
      "keytype": "ed25519", "scheme": "ed25519",
      "keyval": ["public": .string(hexDigits(of: key.bytes))],
    ]
    id = Self.id(of: members)
  }

  /// What the name must be: the SHA-256 of the canonical object.
  package var computedID: KeyID { Self.id(of: members) }

  private static func id(of members: JSONObject) -> KeyID {
    KeyID(SHA256Digest(of: JSONWriter.rawCanonical(.object(members))).hex)
  }

  /// The key that verifies, or nil where it counts for nothing.
  package var key: VerifyingKey? {
    do throws(KeyFault) { return try usableKey() } catch { return nil }
  }

  /// The key if it is one of Ed25519 and usable.
  package var publicKey: PublicKey? {
    guard case .ed25519(let key)? = key else { return nil }
    return key
  }

  /// Why the key counts for nothing; nil if it counts.
  package var fault: KeyFault? {
    do throws(KeyFault) {
      _ = try usableKey()
      return nil
    } catch { return error }
  }

  /// Reads the key that verifies.
  ///
  /// The name is calculated (4.3) before the key is looked at. Costs up to 0.1 ms.
  func usableKey() throws(KeyFault) -> VerifyingKey {
    let computedID = computedID
    guard computedID == id else { throw .wrongID(expected: computedID) }
    guard case .string(let type)? = members["keytype"],
      case .string(let scheme)? = members["scheme"],
      case .object(let value)? = members["keyval"],
      case .string(let text)? = value["public"]
    else { throw .incomplete }
    do throws(KeyError) {
      switch (ExactText(type), ExactText(scheme)) {
      case (Self.ed25519, Self.ed25519): return .ed25519(try PublicKey(hex: text))
      case (Self.ecdsa, Self.p256), (Self.p256, Self.p256):
        return .ecdsa(try ECDSAPublicKey(pem: text))
      case (Self.rsa, Self.pss): return .rsa(try RSAPublicKey(pem: text))
      default: break
      }
    } catch {
      throw .malformed(error)
    }
    throw .unknownKind(type: type, scheme: scheme)
  }

  private static let ed25519 = ExactText("ed25519")
  private static let ecdsa = ExactText("ecdsa")
  private static let p256 = ExactText("ecdsa-sha2-nistp256")
  private static let rsa = ExactText("rsa")
  private static let pss = ExactText("rsassa-pss-sha256")
}

/// Why a key of metadata counts for nothing.
package enum KeyFault: Error, Equatable, Sendable {
  /// Its name in the list is not the one that the specification calculates (4.3).
  case wrongID(expected: KeyID)
  /// It lacks a type, a scheme or a text.
  case incomplete
  case unknownKind(type: String, scheme: String)
  case malformed(KeyError)
}
