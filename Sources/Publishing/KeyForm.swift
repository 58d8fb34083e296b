package import Signatures

/// The form in which a key is handed to another program.
package enum KeyForm: String, CaseIterable, Sendable {
  /// The private half for OpenSSL and most others.
  case pkcs8
  /// Either half for OpenSSH: a private key file, or one line.
  case openSSH = "openssh"
  /// The public half for OpenSSL and most others.
  case spki
  case minisign, signify

  /// The contents of a public key file; nil for the form that only a private half has.
  ///
  /// `name` is what the key is called, for the comment that most forms have.
  package func publicText(of key: PublicKey, name: String) -> String? {
    switch self {
    case .pkcs8: nil
    case .openSSH: key.openSSHLine + "\n"
    case .spki: key.pem(name: name)
    case .minisign: key.minisignFile
    case .signify: key.signifyFile(name: name)
    }
  }
}
