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
  /// Reads the key file at `path`, public in any form that says so, or private.
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
    if file.protection != .none, let companion = try Self.publicKey(beside: path) {
      if let named = file.namedKey, named != companion.key.fingerprint {
        throw PublishingError.otherPublicKey(
          path: companion.path,
          expected: named,
          found: companion.key.fingerprint
        )
      }
      self.init(publicKey: companion.key, isPrivate: true, companion: companion.path)
    } else {
      let passphrase: Passphrase? = file.isEncrypted ? try await passphrase() : nil
      let key = try file.open(with: passphrase).publicKey
      self.init(publicKey: key, isPrivate: true, companion: nil)
    }
  }

  /// Whether the file at `path` holds a private key, of which nothing is opened.
  ///
  /// - Throws: `KeyError` if it holds no key at all.
  package static func isPrivate(_ path: String) throws(KeyError) -> Bool {
    try publicKey(in: path) == nil
  }

  /// The key in a public key file; nil if the file holds a private one.
  private static func publicKey(in path: String) throws(KeyError) -> PublicKey? {
    do {
      return try PublicKey(statedFile: path)
    } catch {
      guard error.isAboutPrivateKey else { throw error }
      return nil
    }
  }

  /// The public key in the file that stands beside a private one, `NAME.pub` for `NAME.key` or for `NAME`.
  static func publicKey(beside path: String) throws(KeyError) -> (path: String, key: PublicKey)? {
    let companion: String?
    do { companion = try self.companion(of: path) } catch { throw .unreadable(error) }
    guard let companion else { return nil }
    return (companion, try PublicKey(statedFile: companion))
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
  /// Whether a private key stands where a public one was looked for.
  var isAboutPrivateKey: Bool {
    guard case .wrongKind(_, let found) = self else { return false }
    return found.utf8.reversed().starts(with: "PRIVATE KEY".utf8.reversed())
  }
}
