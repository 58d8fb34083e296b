import SystemFiles

/// A private key file as it was read, to be opened with a passphrase or without one.
///
/// It is PKCS#8 in PEM or DER, plain or encrypted by any method that libcrypto knows, or an OpenSSH key, which opens
/// unless it is encrypted. What was read lies in guarded memory.
package struct PrivateKeyFile: ~Copyable {
  /// Which program's form a file has.
  package enum Form: Hashable, Sendable { case pkcs8PEM, pkcs8DER, openSSH }

  /// What keeps a thief of the file from the key.
  package enum Protection: Hashable, Sendable {
    case none
    /// A passphrase, with the work that it costs to try one; nil for a method that is not known here.
    case passphrase(KeyDerivation?)
    /// A passphrase that only OpenSSH can use.
    case openSSHPassphrase
  }

  package let form: Form
  package let protection: Protection
  let contents: SecretBytes
  /// Whose key it is as the file says it in the clear: in a comment line, as files made here have it, or in the open part
  /// of an OpenSSH key; nobody has checked it yet.
  package let namedKey: Fingerprint?
  /// The comment lines of a PEM file but for that of the fingerprint, without their `#`.
  let comments: [String]

  /// Whether ``open(with:)`` needs a passphrase.
  package var isEncrypted: Bool {
    if case .passphrase = protection { true } else { false }
  }

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

  /// Takes the contents of a key file.
  package init(text: borrowing SecretBytes) throws(KeyError) {
    self = try text.withBytes { text throws(KeyError) in
      isDER(text) ? try PrivateKeyFile(der: text) : try PrivateKeyFile(pem: text)
    }
  }

  private init(der contents: Span<UInt8>) throws(KeyError) {
    guard isPrivateKey(contents) else {
      throw .wrongKind(expected: PKCS8.label, found: PublicKey.label)
    }
    let encryption = PKCS8.encryption(of: contents)
    form = .pkcs8DER
    protection = encryption.isEncrypted ? .passphrase(encryption.derivation) : .none
    self.contents = SecretBytes(copying: contents)
    namedKey = nil
    comments = []
  }

  private init(pem text: Span<UInt8>) throws(KeyError) {
    let places = try KeyText(text)
    guard let block = try PEMBlock(in: text, lines: places.lines) else { throw .unrecognized }
    let contents = try block.contents(of: text)
    let lines = places.comments.map { String(decoding: text.extracting($0).array, as: UTF8.self) }
    switch block.label {
    case PKCS8.label: (form, protection) = (.pkcs8PEM, .none)
    case PKCS8.encryptedLabel:
      let derivation = contents.withBytes { PKCS8.encryption(of: $0).derivation }
      (form, protection) = (.pkcs8PEM, .passphrase(derivation))
    case OpenSSHPrivateKey.label:
      let head = try contents.withBytes { contents throws(KeyError) in
        try OpenSSHPrivateKey.head(contents)
      }
      (form, protection) = (.openSSH, head.isEncrypted ? .openSSHPassphrase : .none)
      (namedKey, comments) = (head.publicKey.fingerprint, [])
      self.contents = contents
      return
    default: throw .wrongKind(expected: PKCS8.label, found: block.label)
    }
    self.contents = contents
    namedKey = lines.lazy.compactMap { fingerprint(in: $0) }.first
    comments = lines.filter { fingerprint(in: $0) == nil }.map { withoutMark($0) }
  }

  /// Makes the key ready to sign.
  ///
  /// Takes as long as the method of the file wants: 0.1 s for files made here. A file that wants more than seconds is
  /// refused before that.
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
    if form == .openSSH {
      return try contents.withBytes { contents throws(KeyError) in
        try OpenSSHPrivateKey.key(contents)
      }
    }
    guard isEncrypted else {
      return try contents.withBytes { contents throws(KeyError) in
        try SecretKey(seed: PKCS8.seed(contents))
      }
    }
    switch passphrase {
    case .none: throw .passphraseNeeded
    case .some(let passphrase):
      return try contents.withBytes { contents throws(KeyError) in
        try SecretKey(seed: PKCS8.seed(contents, passphrase))
      }
    }
  }
}

/// Refuses a file that other users own, or to which they have any access.
func requirePrivate(_ file: borrowing OpenFile, at path: String) throws(KeyError) {
  let status: FileStatus
  do { status = try file.status() } catch { throw .unreadable(error) }
  guard status.owner == FileStatus.currentUser else {
    throw .foreign(path: path, owner: status.owner, user: FileStatus.currentUser)
  }
  guard status.mode & 0o077 == 0 else { throw .exposed(path: path, mode: status.mode) }
}

/// A comment line without its mark and the space after it.
private func withoutMark(_ line: String) -> String {
  let text = line.utf8.dropFirst()
  return String(Substring(text.first == UInt8(ascii: " ") ? text.dropFirst() : text))
}

/// The fingerprint that a comment line consists of.
private func fingerprint(in comment: String) -> Fingerprint? {
  let words = comment.utf8.dropFirst().split(separator: UInt8(ascii: " "))
  guard words.count == 1, let word = words.first else { return nil }
  return Fingerprint(String(Substring(word)))
}
