import SystemFiles

extension PrivateKeyFile {
  /// Writes `key` to a new file, encrypted so that OpenSSL and other tools open it with the passphrase.
  ///
  /// The method is PKCS#8 with scrypt (16 MiB, about 0.1 s) and AES-256-CBC. A comment line in front names the
  /// key. The file has mode 0600 and is on the medium when this returns; a failure leaves no file.
  /// - Throws: ``KeyError/unwritable(_:)``, also if something has that path already.
  package static func create(
    at path: String,
    for key: borrowing SecretKey,
    encryptedWith passphrase: borrowing Passphrase
  ) throws(KeyError) {
    var text = try encryptedText(for: key, with: passphrase)
    defer { wipe(&text) }
    try create(at: path, with: text.span)
  }

  /// Writes `key` to a new file as ``create(at:for:encryptedWith:)`` does, but readable for whoever has it.
  package static func createUnencrypted(
    at path: String,
    for key: borrowing SecretKey
  ) throws(KeyError) {
    var text = PKCS8.contents(key).withBytes { contents in
      Self.text(label: PKCS8.label, contents, of: key.publicKey)
    }
    defer { wipe(&text) }
    try create(at: path, with: text.span)
  }

  /// Writes `key` to a new file in the form of OpenSSH, readable for whoever has it.
  ///
  /// `ssh-keygen -p` then sets a passphrase.
  package static func createOpenSSH(
    at path: String,
    for key: borrowing SecretKey,
    comment: String
  ) throws(KeyError) {
    var text = OpenSSHPrivateKey.contents(key, comment: comment).withBytes { contents in
      PEMBlock.text(label: OpenSSHPrivateKey.label, contents)
    }
    defer { wipe(&text) }
    try create(at: path, with: text.span)
  }

  /// The contents of a file that ``create(at:for:encryptedWith:)`` writes, different each time.
  package static func encryptedText(
    for key: borrowing SecretKey,
    with passphrase: borrowing Passphrase
  ) throws(KeyError) -> [UInt8] {
    let contents = try PKCS8.contents(key, encryptedWith: passphrase)
    return text(label: PKCS8.encryptedLabel, contents.span, of: key.publicKey)
  }

  private static func text(
    label: String,
    _ contents: Span<UInt8>,
    of key: PublicKey
  ) -> [UInt8] {
    PEMBlock.text(label: label, comments: [key.fingerprint.description], contents)
  }

  private static func create(at path: String, with text: Span<UInt8>) throws(KeyError) {
    let (parent, name) = splitPath(path)
    do throws(SystemError) {
      let folder = try Folder(path: parent)
      let file = try folder.createFile(name, mode: 0o600)
      do {
        try file.write(text, at: 0)
        try file.sync()
        try folder.sync()
      } catch {
        try? folder.removeFile(name)
        throw error
      }
    } catch {
      throw .unwritable(error)
    }
  }
}
