import Digests
package import ReleaseSimulator
import Signatures
package import StrictJSON
package import Trust

/// The owner of a key of any kind that signs metadata.
package struct SimulatedKey: Sendable {
  private enum Secret: Sendable {
    case ed25519(SimulatedSigner)
    case libcrypto(LibcryptoKey)
  }

  private let secret: Secret
  /// The key as metadata lists it.
  package let listed: MetadataKey

  package var id: KeyID { listed.id }

  /// An Ed25519 key that is made from a name, the same on every machine.
  package init(_ name: String) throws { self.init(try SimulatedSigner(name)) }

  /// The key of somebody who signs releases too.
  package init(_ signer: SimulatedSigner) {
    secret = .ed25519(signer)
    listed = MetadataKey(signer.publicKey)
  }

  /// A new key of ECDSA on P-256.
  package static func ecdsa(keyType: String = "ecdsa") -> SimulatedKey {
    let key = LibcryptoKey(.p256)
    return SimulatedKey(key, keyType: keyType, scheme: "ecdsa-sha2-nistp256")
  }

  /// A new key of RSA, which signs with PSS.
  package static func rsa(bits: Int = 2048) -> SimulatedKey {
    SimulatedKey(LibcryptoKey(.rsa(bits: bits)), keyType: "rsa", scheme: "rsassa-pss-sha256")
  }

  private init(_ key: LibcryptoKey, keyType: String, scheme: String) {
    self.init(
      secret: .libcrypto(key),
      listed: Self.listed([
        "keytype": .string(keyType), "scheme": .string(scheme),
        "keyval": ["public": .string(key.publicPEM)],
      ])
    )
  }

  private init(secret: Secret, listed: MetadataKey) {
    (self.secret, self.listed) = (secret, listed)
  }

  /// The same key with further members, and so under another, right name.
  package func relisted(_ members: JSONObject) -> SimulatedKey {
    var object = listed.members
    for member in members.members { object[member.name] = member.value }
    return SimulatedKey(secret: secret, listed: Self.listed(object))
  }

  /// The same key under a name that is not the one of the specification.
  package func misnamed(_ id: String) -> SimulatedKey {
    SimulatedKey(secret: secret, listed: MetadataKey(id: KeyID(id), members: listed.members))
  }

  private static func listed(_ members: JSONObject) -> MetadataKey {
    let unnamed = MetadataKey(id: KeyID(""), members: members)
    return MetadataKey(id: unnamed.computedID, members: members)
  }

  /// Signs under the name of the key.
  package func sign(_ message: [UInt8]) throws -> MetadataSignature {
    switch secret {
    case .ed25519(let signer):
      MetadataSignature(keyID: id, bytes: try signer.secretKey().sign(message).bytes)
    case .libcrypto(let key): MetadataSignature(keyID: id, bytes: key.sign(message))
    }
  }
}

extension SignedMetadata {
  /// The file with a signature of each key.
  package func signed(by keys: [SimulatedKey]) throws -> SignedMetadata {
    SignedMetadata(contents, signatures: signatures + (try keys.map { try $0.sign(signedBytes) }))
  }
}

extension RoleKeys {
  /// A role of these keys.
  package init(_ keys: [SimulatedKey], threshold: Int = 1) {
    self.init(keyIDs: keys.map(\.id), threshold: threshold)
  }
}

extension KeyTable {
  package init(_ keys: [SimulatedKey]) { self.init(keys.map(\.listed)) }
}
