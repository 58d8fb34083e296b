/// A signature file of minisign over the BLAKE2b-512 of a file.
///
///     untrusted comment: …
///     base64("ED" ‖ key number ‖ signature of the hash)
///     trusted comment: …
///     base64(signature of the first signature and the trusted comment)
///
/// The trusted comment is signed with the hash and shown by `minisign -V`.
package struct MinisignSignature: Sendable {
  /// The contents of the file.
  package let text: String

  /// Signs `message`, and a comment without line ends with it; both signatures are verified.
  ///
  /// - Throws: What the signer throws, and ``KeyError/signatureDoesNotVerify(by:)``.
  package init(
    of message: [UInt8],
    by signer: borrowing some Signer & ~Copyable,
    trustedComment: String
  ) throws {
    precondition(!trustedComment.utf8.contains { $0 == 0x0a || $0 == 0x0d }, "one line")
    let key = signer.publicKey
    let hash = HashForSigning.blake2b(message)
    let first = try signer.verifiedSignature(of: hash)
    let second = try signer.verifiedSignature(of: first.bytes + trustedComment.utf8)
    let head = Array("ED".utf8) + key.number.bytes
    text = """
      untrusted comment: verify with minisign.pub
      \(Base64.encode(head + first.bytes))
      trusted comment: \(trustedComment)
      \(Base64.encode(second.bytes))

      """
  }
}
