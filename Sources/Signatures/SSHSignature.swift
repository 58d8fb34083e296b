/// A signature of OpenSSH over the SHA-512 of a file, for one namespace (PROTOCOL.sshsig).
///
/// What is signed begins with `SSHSIG` and names the namespace, so that a signature for one purpose is none for another.
package struct SSHSignature: Sendable {
  private static let magic = Array("SSHSIG".utf8)
  private static let hashName = "sha512"
  private static let lineLength = 70

  /// The contents of the file, as `ssh-keygen -Y sign` writes it.
  package let text: String

  /// Signs `message` for `namespace`, which is not empty; the signature is verified.
  ///
  /// - Throws: What the signer throws, and ``KeyError/signatureDoesNotVerify(by:)``.
  package init(
    of message: [UInt8],
    by signer: borrowing some Signer & ~Copyable,
    namespace: String
  ) throws {
    precondition(!namespace.isEmpty, "an empty namespace is none")
    let purpose =
      wireString(namespace.utf8) + wireString([]) + wireString(Self.hashName.utf8)
    let signed = Self.magic + purpose + wireString(HashForSigning.sha512(message))
    let signature = try signer.verifiedSignature(of: signed)
    let key = signer.publicKey
    let blob =
      Self.magic + wireNumber(1) + wireString(key.openSSHBlob) + purpose
      + wireString(wireString(PublicKey.openSSHKind.utf8) + wireString(signature.bytes))
    let digits = Array(Base64.encode(blob).utf8)
    let lines = stride(from: 0, to: digits.count, by: Self.lineLength).map { start in
      String(decoding: digits[start..<min(start + Self.lineLength, digits.count)], as: UTF8.self)
    }
    text =
      "-----BEGIN SSH SIGNATURE-----\n" + lines.map { $0 + "\n" }.joined()
      + "-----END SSH SIGNATURE-----\n"
  }
}

extension PublicKey {
  /// The line of an `allowed_signers` file that lets this key sign as `identity` in one namespace.
  ///
  /// An identity is a name without spaces, commas, quotes and wildcards.
  package func allowedSigner(_ identity: String, namespace: String) -> String {
    "\(identity) namespaces=\"\(namespace)\" \(openSSHLine)\n"
  }
}
