import SystemFiles

extension KeyError: CustomStringConvertible {
  /// What happened, in one line for people: lower case, no full stop.
  package var description: String {
    switch self {
    case .wrongLength(let expected, let found): "expected \(expected) bytes, found \(found)"
    case .notCanonical: "the public key is not in its canonical form"
    case .notOnCurve: "the public key is not a point of the curve"
    case .smallOrder: "the public key has a small order, so its signatures prove nothing"
    case .notEd25519(let found): "not an Ed25519 key but \(found)"
    case .wrongAlgorithm(let expected, let found): "expected a key of \(expected), found \(found)"
    case .wrongModulus(let bits, let allowed):
      "an RSA key of \(bits) bits, not of \(allowed.lowerBound) to \(allowed.upperBound)"
    case .weakExponent: "the public exponent of the RSA key is even or 1, so anybody could sign"
    case .byteOrderMark: "the text begins with a byte order mark (BOM); save it without one"
    case .unrecognized: "the text is no key in a known form"
    case .severalKeys: "the text holds more than one key"
    case .wrongKind(let expected, let found): "expected a PEM block \(expected), found \(found)"
    case .damaged(let part): "the key is damaged: \(part.reason)"
    case .passphraseNeeded: "the key is encrypted and needs a passphrase"
    case .wrongPassphrase: "the passphrase does not open the key"
    case .emptyPassphrase: "the passphrase is empty"
    case .carriageReturn:
      "the passphrase has a carriage return at a line end (CR LF); save it with plain line ends (LF) or none"
    case .unsupportedEncryption(let name): "the key is encrypted in an unsupported way: \(name)"
    case .openSSHPassphrase:
      "the key is encrypted by OpenSSH, whose passphrases only OpenSSH opens"
    case .costlyDerivation(let derivation):
      "opening the key costs more than is allowed: \(derivation)"
    case .otherKey(let expected, let found): "the file should hold \(expected), but holds \(found)"
    case .exposed(let path, let mode):
      "other users have access to \(path): mode \(String(mode, radix: 8)), expected 600"
    case .foreign(let path, let owner, let user):
      "\(path) belongs to user \(owner), not to user \(user)"
    case .changed(let path):
      "\(path) was changed by somebody else meanwhile; nothing was written"
    case .tooLong(let limit): "more than \(limit) bytes are too long for a key or passphrase"
    case .unreadable(let error): "cannot read \(error.path ?? "the file"): \(error.reason)"
    case .unwritable(let error): "cannot write \(error.path ?? "the file"): \(error.reason)"
    case .signatureDoesNotVerify(let key): "the signer's result is no signature by \(key)"
    }
  }
}

extension KeyError.Part {
  fileprivate var reason: String {
    switch self {
    case .pem: "the PEM block is not complete"
    case .base64: "invalid base64"
    case .asn1: "invalid ASN.1"
    case .openSSH: "invalid OpenSSH format"
    case .raw: "its public half belongs to another seed"
    }
  }
}
