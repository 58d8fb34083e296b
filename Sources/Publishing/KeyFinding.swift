package import Signatures

/// What is wrong with a file of a folder of keys, or with the folder.
package enum KeyFinding: Hashable, Sendable {
  /// Others have access to a private key, by these permission bits.
  case exposed(mode: UInt32)
  /// Another user owns a private key.
  case foreign(owner: UInt32)
  /// Others can exchange the keys in the folder, by these permission bits.
  case openFolder(mode: UInt32)
  /// Passphrases for the file, which has that form, are tried fast.
  case weak(KeyDerivation, PrivateKeyFile.Form)
  /// The public key file beside a private one is another key's.
  case otherPublicKey(path: String, expected: Fingerprint, found: Fingerprint)
  /// A run that was killed has left the file; it holds a key all the same.
  case leftOver
  /// The file is called as keys are, and is none, or cannot be read.
  case unreadable(KeyError)
}
