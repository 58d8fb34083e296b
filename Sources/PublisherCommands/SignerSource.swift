import CommandErrors
import CommandLineKit
import Manifests
import Publishing
import Signatures
import Trust

/// Who makes a signature, as the options of `sign` say.
enum SignerSource: Sendable {
  case keyFile(String, PassphraseSource, allowsInsecurePermissions: Bool)
  case agent(Fingerprint)
  case command(SignerCommand, KeyArgument)

  /// The word for it in JSON.
  var word: String {
    switch self {
    case .keyFile: "key"
    case .agent: "ssh-agent"
    case .command: "signer"
    }
  }

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

  /// Makes the signer ready, and gives it to `use`.
  ///
  /// - Throws: What the signer and `use` throw, and a diagnostic for a key that nobody expects.
  func lend<Use: SignerUse>(
    to use: Use,
    expecting expected: [PublicKey],
    _ context: CommandContext
  ) async throws -> Use.Result {
    switch self {
    case .keyFile(let path, let passphrase, let allowsInsecurePermissions):
      let key = try await open(path, passphrase, allowsInsecurePermissions, context)
      return try lend(key, to: use, expected)
    case .agent(let fingerprint):
      let signer = try AgentSigner(fingerprint, agent: try agentPath(context))
      context.console.inform("asking the ssh-agent, which may ask back")
      return try lend(signer, to: use, expected)
    case .command(let command, let key):
      let console = context.console
      let signer = CommandSigner(command, publicKey: try key.key(context).publicKey) { line in
        console.relay(line, from: "signer")
      }
      return try lend(signer, to: use, expected)
    }
  }

  private func lend<Use: SignerUse>(
    _ signer: borrowing some Signer & ~Copyable,
    to use: Use,
    _ expected: [PublicKey]
  ) throws -> Use.Result {
    let key = signer.publicKey
    guard expected.isEmpty || expected.contains(key) else {
      throw Diagnostic(
        .notAccepted,
        kind: .unexpectedKey,
        "\(key) is none of the keys after --pub",
        notes: expected.map { "expected \($0)" } + ["nothing was written"]
      )
    }
    return try use.use(signer)
  }

  private func open(
    _ path: String,
    _ source: PassphraseSource,
    _ allowsInsecurePermissions: Bool,
    _ context: CommandContext
  ) async throws -> SecretKey {
    do {
      let file = try PrivateKeyFile(
        path: path,
        allowingInsecurePermissions: allowsInsecurePermissions
      )
      let passphrase: Passphrase? =
        file.isEncrypted ? try await source.passphrase(for: path, context) : nil
      return try file.open(with: passphrase)
    } catch let error as KeyError {
      throw context.explain(error, at: path, of: "--key")
    }
  }

  private func agentPath(_ context: CommandContext) throws -> String {
    guard let path = context.environment["SSH_AUTH_SOCK"], !path.isEmpty else {
      throw Diagnostic(
        .usage,
        kind: .noAgent,
        "there is no ssh-agent: SSH_AUTH_SOCK is not set",
        helps: ["eval \"$(ssh-agent)\" starts one and sets the variable"]
      )
    }
    return path
  }
}

/// What is done with a signer, of whatever kind it is.
protocol SignerUse {
  associatedtype Result

  func use(_ signer: borrowing some Signer & ~Copyable) throws -> Result
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
