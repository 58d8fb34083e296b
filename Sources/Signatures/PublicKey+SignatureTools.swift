extension PublicKey {
  /// The number of the key for minisign and signify.
  package var number: KeyNumber { KeyNumber(of: self) }

  /// The contents of a public key file of minisign.
  ///
  /// The base64 alone, the second line, is what `minisign -P` takes.
  package var minisignFile: String { signatureToolFile("minisign public key \(number)") }

  /// The contents of a public key file of signify, which has the same form and another comment.
  ///
  /// Control characters in `name` become spaces, and a long name is cut: signify reads 1,023 bytes of a comment.
  package func signifyFile(name: String) -> String {
    var name = onOneLine(name)
    while name.utf8.count > 255 { name.unicodeScalars.removeLast() }
    return signatureToolFile("\(name) public key")
  }

  private func signatureToolFile(_ comment: String) -> String {
    "untrusted comment: \(comment)\n\(Base64.encode(Array("Ed".utf8) + number.bytes + bytes))\n"
  }
}
