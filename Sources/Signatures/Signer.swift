/// What can sign with one private key: a key in memory, an agent, a command.
package protocol Signer: ~Copyable {
  /// The key with which signatures are to verify.
  var publicKey: PublicKey { get }

  /// Signs `message` as RFC 8032 says, never the prehash variant. Nobody uses the result unverified.
  borrowing func sign(_ message: [UInt8]) throws -> Signature
}

extension Signer where Self: ~Copyable {
  /// Signs `message` and verifies the result, whatever made it.
  ///
  /// - Throws: What ``sign(_:)`` throws, and ``KeyError/signatureDoesNotVerify(by:)``.
  package borrowing func verifiedSignature(of message: [UInt8]) throws -> Signature {
    let signature = try sign(message)
    guard publicKey.verifies(signature, of: message) else {
      throw KeyError.signatureDoesNotVerify(by: publicKey.fingerprint)
    }
    return signature
  }
}
