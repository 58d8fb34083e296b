extension KeptDocument {
  /// What it is, in words that stand behind "is".
  package var words: String {
    switch self {
    case .signedDocument: "a manifest or another signed document"
    case .privateKey: "a private key"
    case .publicKey: "a public key"
    case .configuration: "a document of sealift, such as a trust policy"
    case .rawKey: "a file of the length of a key"
    }
  }
}
