import SystemFiles

extension PrivateKeyFile {
  /// Writes `key` to a new file, encrypted so that OpenSSL and other tools open it with the passphrase.
  ///
  /// The method is PKCS#8 with scrypt (16 MiB, about 0.1 s) and AES-256-CBC; what was written is opened once before the
  /// file gets its name. A comment line in front names the key. Readers see the whole file or none; it has mode 0600
  /// and is on the medium when this returns.
  /// - Parameters:
  ///   - path: Where nothing may stand yet.
  ///   - key: The key.
  ///   - passphrase: What opens the file; nil leaves it open to whoever has it.
  /// - Throws: ``KeyError/unwritable(_:)``, also if something has that path already.
  package static func create(
    at path: String,
    for key: borrowing SecretKey,
    encryptedWith passphrase: borrowing Passphrase?
  ) throws(KeyError) {
    try write(try text(for: key, encryptedWith: passphrase), to: path, replacing: false)
  }

  /// Writes `key` to a new file in the form of OpenSSH, readable for whoever has it.
  ///
  /// `ssh-keygen -p` then sets a passphrase.
  package static func createOpenSSH(
    at path: String,
    for key: borrowing SecretKey,
    comment: String
  ) throws(KeyError) {
    let text = OpenSSHPrivateKey.contents(key, comment: comment).withBytes { contents in
      PEMBlock.secretText(label: OpenSSHPrivateKey.label, contents)
    }
    try write(text, to: path, replacing: false)
  }

  /// Replaces this file, which was read from `path`, by one with another passphrase; the comments in it stay.
  ///
  /// Readers, and a crash at any moment, see the old file or the new one, and never one that others can read. A copy
  /// of the new file that a crash has left under a name of its own is taken away by the next run.
  /// - Parameters:
  ///   - path: Where the file is, itself and no link.
  ///   - key: What ``open(with:)`` gave for it.
  ///   - passphrase: What opens the new file; nil leaves it open to whoever has it.
  /// - Throws: ``KeyError``, ``KeyError/foreign(path:owner:user:)`` for a file that another user owns, and
  ///   ``KeyError/changed(path:)`` where another key has taken the place of the one that was read.
  package func replace(
    at path: String,
    for key: borrowing SecretKey,
    encryptedWith passphrase: borrowing Passphrase?
  ) throws(KeyError) {
    let text = try Self.text(for: key, encryptedWith: passphrase, comments: comments)
    try requireOwn(path)
    try Self.write(text, to: path, replacing: true)
  }

  /// The contents of a file that ``create(at:for:encryptedWith:)`` writes, encrypted in another way each time.
  static func text(
    for key: borrowing SecretKey,
    encryptedWith passphrase: borrowing Passphrase?,
    comments: [String] = []
  ) throws(KeyError) -> SecretBytes {
    let comments = comments + [key.publicKey.fingerprint.description]
    switch passphrase {
    case .some(let passphrase):
      let contents = try PKCS8.contents(key, encryptedWith: passphrase)
      let again = try SecretKey(seed: PKCS8.seed(contents.span, passphrase))
      guard again.publicKey == key.publicKey else { throw .damaged(.asn1) }
      return PEMBlock.secretText(
        label: PKCS8.encryptedLabel,
        comments: comments,
        contents.span
      )
    case .none:
      return PKCS8.contents(key).withBytes { contents in
        PEMBlock.secretText(label: PKCS8.label, comments: comments, contents)
      }
    }
  }

  /// Refuses a link, a file of another user, to whom a new file would not belong, and any file but the one that was read.
  private func requireOwn(_ path: String) throws(KeyError) {
    let file = try Self.openItself(path)
    let owner: UInt32
    do throws(SystemError) { owner = try file.status().owner } catch { throw .unreadable(error) }
    guard owner == FileStatus.currentUser else {
      throw .foreign(path: path, owner: owner, user: FileStatus.currentUser)
    }
    let found = try PrivateKeyFile(text: try KeyText.read(file))
    guard found.form == form, found.contents.isEqual(to: contents) else {
      throw .changed(path: path)
    }
  }

  /// Opens what has the name itself, and no link.
  private static func openItself(_ path: String) throws(KeyError) -> OpenFile {
    let (parent, name) = splitPath(path)
    do throws(SystemError) {
      return try Folder(path: parent).openFile(name)
    } catch {
      throw .unreadable(error)
    }
  }

  private static func write(
    _ text: borrowing SecretBytes,
    to path: String,
    replacing: Bool
  ) throws(KeyError) {
    let (parent, name) = splitPath(path)
    do throws(SystemError) {
      let folder = try Folder(path: parent)
      try text.withBytes { text throws(SystemError) in
        if replacing {
          try folder.replaceWhole(name, with: text, mode: 0o600)
        } else {
          try folder.createWhole(name, with: text, mode: 0o600)
        }
      }
    } catch {
      throw .unwritable(error)
    }
  }
}
