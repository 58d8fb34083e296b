/// A signature file of signify (OpenBSD) over the bytes of a file themselves.
///
///     untrusted comment: …
///     base64("Ed" ‖ key number ‖ signature)
package struct SignifySignature: Sendable {
  /// The contents of the file.
  package let text: String

  /// Signs `message`; the signature is verified.
  ///
  /// - Throws: What the signer throws, and ``KeyError/signatureDoesNotVerify(by:)``.
  package init(of message: [UInt8], by signer: borrowing some Signer & ~Copyable) throws {
    let signature = try signer.verifiedSignature(of: message)
    let contents = Array("Ed".utf8) + signer.publicKey.number.bytes + signature.bytes
    text = "untrusted comment: verify with signify.pub\n\(Base64.encode(contents))\n"
  }
}
