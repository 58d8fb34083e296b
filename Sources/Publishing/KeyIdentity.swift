package import Signatures
import SystemFiles

/// The public half of a key file of either kind.
package struct KeyIdentity: Hashable, Sendable {
  package let publicKey: PublicKey
  /// Whether the file holds the private half.
  package let isPrivate: Bool
  /// The public key file that stood for an encrypted private one, if it was not opened.
  package let companion: String?
}

extension KeyIdentity {
  /// Reads the key file at `path`, public in any form or private.
  ///
  /// A private key that is encrypted is known by the public key file beside it, `NAME.pub` for `NAME.key` or for
  /// `NAME`; without one it is opened.
  /// - Parameters:
  ///   - path: The file.
  ///   - allowingInsecurePermissions: Whether a private key file may be open to other users.
  ///   - passphrase: Gives what opens the file; called only if that is needed.
  /// - Throws: `KeyError`, ``PublishingError/otherPublicKey(path:expected:found:)`` if the two files belong to
  ///   different keys, `SystemError`, and what `passphrase` throws.
  package init(
    reading path: String,
    allowingInsecurePermissions: Bool,
    passphrase: () async throws -> Passphrase
  ) async throws {
    if let key = try Self.publicKey(in: path) {
      self.init(publicKey: key, isPrivate: false, companion: nil)
      return
    }
    let file = try PrivateKeyFile(
      path: path,
      allowingInsecurePermissions: allowingInsecurePermissions
    )
    if file.isEncrypted, let companion = try Self.companion(of: path) {
      let key = try PublicKey(file: companion)
      if let named = file.namedKey, named != key.fingerprint {
        throw PublishingError.otherPublicKey(
          path: companion,
          expected: named,
          found: key.fingerprint
        )
      }
      self.init(publicKey: key, isPrivate: true, companion: companion)
    } else {
      let passphrase: Passphrase? = file.isEncrypted ? try await passphrase() : nil
      let key = try file.open(with: passphrase).publicKey
      self.init(publicKey: key, isPrivate: true, companion: nil)
    }
  }

  /// The key in a public key file; nil if the file holds a private one.
  private static func publicKey(in path: String) throws(KeyError) -> PublicKey? {
    do {
      return try PublicKey(file: path)
    } catch {
      guard error.isAboutPrivateKey else { throw error }
      return nil
    }
  }

  private static func companion(of path: String) throws(SystemError) -> String? {
    let ending = Array(".key".utf8)
    let bytes = Array(path.utf8)
    let stem = bytes.suffix(ending.count) == ending[...] ? bytes.dropLast(ending.count) : bytes[...]
    let companion = String(decoding: stem, as: UTF8.self) + ".pub"
    let (folder, name) = splitPath(companion)
    return try Folder(path: folder).status(of: name) == nil ? nil : companion
  }
}

extension KeyError {
  fileprivate var isAboutPrivateKey: Bool {
    guard case .wrongKind(_, let found) = self else { return false }
    return found.utf8.reversed().starts(with: "PRIVATE KEY".utf8.reversed())
  }
}
