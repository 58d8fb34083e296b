package import SystemFiles

/// Why a key, a key file or a passphrase was refused; says nothing of what is secret in it.
package enum KeyError: Error, Hashable, Sendable {
  /// The part of a text or file that does not follow its format.
  package enum Part: Hashable, Sendable { case pem, base64, asn1, openSSH, raw }

  // The key itself.
  case wrongLength(expected: Int, found: Int)
  /// The bytes are a second spelling of another key.
  case notCanonical
  case notOnCurve
  /// One signature of such a key would fit many messages.
  case smallOrder
  /// The key is of another algorithm, which is named as OpenSSL or OpenSSH names it.
  case notEd25519(found: String)
  /// The key is of another algorithm, or on another curve, than the one that was asked for.
  case wrongAlgorithm(expected: String, found: String)
  /// An RSA modulus that is too short to be safe, or too long to be fast.
  case wrongModulus(bits: Int, allowed: ClosedRange<Int>)
  /// The public exponent of an RSA key is even or 1: anybody could sign.
  case weakExponent

  // Texts.
  /// The text begins with the mark that some editors write before UTF-8 or UTF-16.
  case byteOrderMark
  /// The text has none of the known forms.
  case unrecognized
  case severalKeys
  /// The text is a PEM block of another kind, such as a private key where a public one belongs.
  case wrongKind(expected: String, found: String)
  case damaged(Part)

  // Private key files.
  case passphraseNeeded
  /// The passphrase does not open the file; nothing tells this from changed bytes in the encrypted part.
  case wrongPassphrase
  case emptyPassphrase
  /// The passphrase ends with, or has before a line end, the carriage return of Windows.
  case carriageReturn
  /// The file is encrypted in a way that is not supported.
  case unsupportedEncryption(String)
  /// The file is encrypted in the way of OpenSSH, whose key derivation is in neither library.
  case openSSHPassphrase
  /// Opening the file would take more time or memory than anybody needs.
  case costlyDerivation(KeyDerivation)
  /// The file opens, but holds another key than the one that its comment names.
  case otherKey(expected: Fingerprint, found: Fingerprint)
  /// Others may read or write the private key file, by these permission bits.
  case exposed(path: String, mode: UInt32)
  /// The private key file belongs to another user.
  case foreign(path: String, owner: UInt32, user: UInt32)
  /// Another key has taken the place of the one that was read.
  case changed(path: String)
  case tooLong(limit: Int)
  case unreadable(SystemError)
  case unwritable(SystemError)

  // Signing.
  case signatureDoesNotVerify(by: Fingerprint)
}
