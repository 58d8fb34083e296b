import Manifests
package import Signatures
import SystemFiles

/// The two files of a key: `NAME.key`, the private one with mode 0600, and `NAME.pub` beside it.
package struct KeyPairFiles: Hashable, Sendable {
  package let privatePath: String
  package let publicPath: String
  private let name: String
  private let folder: String

  /// Takes the name without an ending, and the folder.
  ///
  /// - Throws: ``PublishingError/badKeyName(_:)``.
  package init(name: String, in folder: String) throws(PublishingError) {
    guard let path = try? RelativePath(name), path.components.count == 1,
      name.utf8.count <= RelativePath.maximumComponentLength - 4
    else { throw .badKeyName(name) }
    self.name = name
    self.folder = folder
    privatePath = joined(folder, name + ".key")
    publicPath = joined(folder, name + ".pub")
  }

  /// Refuses to go on where one of the files exists; asks no passphrase for nothing.
  package func requireAbsence() throws {
    do {
      try requireAbsence(in: try Folder(path: folder))
    } catch let error as SystemError where error.isNotFound {}
  }

  private func requireAbsence(in folder: borrowing Folder) throws {
    for (name, path) in [(name + ".key", privatePath), (name + ".pub", publicPath)] {
      guard try folder.status(of: name) == nil else { throw PublishingError.keyThere(path) }
    }
  }

  /// Writes both files for `key`, making the folder where it is missing; a failure leaves neither,
  /// unless the medium fails.
  ///
  /// Each is there whole or not at all. A crash between the two leaves the private one, of which `key export` makes the
  /// other.
  ///
  /// - Parameters:
  ///   - key: The new key.
  ///   - passphrase: What the private file is encrypted with; nil leaves it readable for whoever has it.
  /// - Throws: ``PublishingError/keyThere(_:)``, `KeyError` or `SystemError`.
  package func create(
    for key: borrowing SecretKey,
    encryptedWith passphrase: borrowing Passphrase?
  ) throws {
    let folder = try Folder(creating: folder, mode: 0o755)
    try requireAbsence(in: folder)
    // The private file comes first: the other one can be made of it.
    try PrivateKeyFile.create(at: privatePath, for: key, encryptedWith: passphrase)
    do {
      try writePublicFile(for: key.publicKey, in: folder)
    } catch {
      try? folder.removeFile(name + ".key")
      throw error
    }
  }

  /// Writes the public file alone, for a key whose private half lives elsewhere.
  ///
  /// - Throws: ``PublishingError/keyThere(_:)`` or `SystemError`.
  package func createPublic(for key: PublicKey) throws {
    let folder = try Folder(creating: folder, mode: 0o755)
    try requireAbsence(in: folder)
    try writePublicFile(for: key, in: folder)
  }

  private func writePublicFile(
    for key: PublicKey,
    in folder: borrowing Folder
  ) throws(SystemError) {
    try folder.createWhole(name + ".pub", with: Array(key.pem(name: name).utf8).span, mode: 0o644)
  }
}
