import CommandErrors
import CommandLineKit
import Manifests
import Publishing
import Signatures

extension SignerSource {
  /// Adds a signature, which has been verified, to an envelope.
  ///
  /// - Parameters:
  ///   - envelope: What is signed.
  ///   - expected: The keys of which the signer's must be one; any key is right if there are none.
  ///   - context: The surroundings of the command.
  /// - Returns: The envelope with the signature, and the key of the signer.
  /// - Throws: What the signer throws, and a diagnostic for a key that nobody expects.
  func sign(
    _ envelope: Envelope,
    expecting expected: [PublicKey],
    _ context: CommandContext
  ) async throws -> (envelope: Envelope, key: PublicKey) {
    try await lend(to: EnvelopeSigning(envelope: envelope), expecting: expected, context)
  }
}

/// Signs a manifest.
private struct EnvelopeSigning: SignerUse {
  let envelope: Envelope

  func use(
    _ signer: borrowing some Signer & ~Copyable
  ) throws -> (envelope: Envelope, key: PublicKey) {
    (try envelope.signed(by: signer), signer.publicKey)
  }
}
