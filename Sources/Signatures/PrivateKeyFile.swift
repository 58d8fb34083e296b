import SystemFiles

/// A private key file as it was read, to be opened with a passphrase or without one.
///
/// It is PEM with PKCS#8, plain or encrypted by any method that libcrypto knows, or an OpenSSH key that is not
/// encrypted. What was read lies in guarded memory.
package struct PrivateKeyFile: ~Copyable {
  private enum Form { case plain, encrypted, openSSH }

  private let form: Form
  private let contents: SecretBytes
  /// The fingerprint that a comment line gives, as files made here have it; nobody has checked it yet.
  package let namedKey: Fingerprint?

  /// Whether ``open(with:)`` needs a passphrase.
  package var isEncrypted: Bool { form == .encrypted }

  /// Reads the file, or pipe, at `path`.
  ///
  /// - Parameters:
  ///   - path: Where the file is; links are followed.
  ///   - allowingInsecurePermissions: Whether the file may belong to others or be open to them.
  /// - Throws: ``KeyError``; ``KeyError/exposed(path:mode:)`` if group or others have any access, and
  ///   ``KeyError/foreign(path:owner:user:)`` if another user owns the file.
  package init(path: String, allowingInsecurePermissions: Bool = false) throws(KeyError) {
    let file = try KeyText.open(path)
    // What is no private key has no secret to guard, so that comes first.
    let key = try PrivateKeyFile(text: try KeyText.read(file))
    if !allowingInsecurePermissions { try requirePrivate(file, at: path) }
    self = key
  }

  /// Takes the text of a key file.
  package init(text: borrowing SecretBytes) throws(KeyError) {
    self = try text.withBytes { text throws(KeyError) in try PrivateKeyFile(text) }
  }

  private init(_ text: Span<UInt8>) throws(KeyError) {
    let places = try KeyText(text)
    guard let block = try PEMBlock(in: text, lines: places.lines) else { throw .unrecognized }
    let form: Form
    switch block.label {
    case PKCS8.label: form = .plain
    case PKCS8.encryptedLabel: form = .encrypted
    case OpenSSHPrivateKey.label: form = .openSSH
    default: throw .wrongKind(expected: PKCS8.label, found: block.label)
    }
    contents = try block.contents(of: text)
    self.form = form
    namedKey = fingerprint(among: places.comments, of: text)
  }

  /// Makes the key ready to sign.
  ///
  /// Takes as long as the method of the file wants: 0.1 s for files made here.
  /// - Parameter passphrase: What opens the file; not looked at if the file is not encrypted.
  /// - Returns: The key, in guarded memory of its own.
  /// - Throws: ``KeyError``; ``KeyError/passphraseNeeded`` if there is none, ``KeyError/wrongPassphrase`` for
  ///   another one, ``KeyError/otherKey(expected:found:)`` if a comment names another key.
  package func open(with passphrase: borrowing Passphrase?) throws(KeyError) -> SecretKey {
    let key = try key(with: passphrase)
    let found = key.publicKey.fingerprint
    // Encryption by CBC does not notice every changed byte; the fingerprint does.
    if let namedKey, namedKey != found { throw .otherKey(expected: namedKey, found: found) }
    return key
  }

  private func key(with passphrase: borrowing Passphrase?) throws(KeyError) -> SecretKey {
    switch form {
    case .plain:
      return try contents.withBytes { contents throws(KeyError) in
        try SecretKey(seed: PKCS8.seed(contents))
      }
    case .openSSH:
      return try contents.withBytes { contents throws(KeyError) in
        try OpenSSHPrivateKey.key(contents)
      }
    case .encrypted:
      switch passphrase {
      case .none: throw .passphraseNeeded
      case .some(let passphrase):
        return try contents.withBytes { contents throws(KeyError) in
          try SecretKey(seed: PKCS8.seed(contents, passphrase))
        }
      }
    }
  }
}

/// Refuses a file that other users own, or to which they have any access.
private func requirePrivate(
  _ file: borrowing OpenFile,
  at path: String
) throws(KeyError) {
  let status: FileStatus
  do { status = try file.status() } catch { throw .unreadable(error) }
  guard status.owner == FileStatus.currentUser else {
    throw .foreign(path: path, owner: status.owner, user: FileStatus.currentUser)
  }
  guard status.mode & 0o077 == 0 else { throw .exposed(path: path, mode: status.mode) }
}

/// The first comment line that consists of a fingerprint.
private func fingerprint(among comments: [Range<Int>], of text: Span<UInt8>) -> Fingerprint? {
  for comment in comments {
    let words = text.extracting(comment).array.dropFirst().split(separator: UInt8(ascii: " "))
    guard words.count == 1, let word = words.first else { continue }
    if let key = Fingerprint(String(decoding: word, as: UTF8.self)) { return key }
  }
  return nil
}
