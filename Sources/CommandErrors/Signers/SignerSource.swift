package import CommandLineKit
package import Signatures
import Trust

/// A private key in a file, and what it takes to open it.
package struct KeyFilePlace: Sendable {
  let path: String
  /// The option that named it, for messages.
  let option: String
  let passphrase: PassphraseSource
  let allowsInsecurePermissions: Bool
}

/// Who makes a signature, as the options of a command say.
package enum SignerSource: Sendable {
  case keyFile(KeyFilePlace)
  case agent(Fingerprint)
  case command(SignerCommand, KeyArgument)

  /// The word for it in JSON.
  package var word: String {
    switch self {
    case .keyFile: "key"
    case .agent: "ssh-agent"
    case .command: "signer"
    }
  }

  /// Makes the signer ready, and gives it to `use`.
  ///
  /// - Throws: What the signer and `use` throw, and a diagnostic for a key that nobody expects.
  package func lend<Use: SignerUse>(
    to use: Use,
    expecting expected: [PublicKey],
    _ context: CommandContext
  ) async throws -> Use.Result {
    switch self {
    case .keyFile(let place):
      let key = try await open(place, context)
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
    _ place: KeyFilePlace,
    _ context: CommandContext
  ) async throws -> SecretKey {
    do {
      let file = try PrivateKeyFile(
        path: place.path,
        allowingInsecurePermissions: place.allowsInsecurePermissions
      )
      let passphrase: Passphrase? =
        file.isEncrypted ? try await place.passphrase.passphrase(for: place.path, context) : nil
      return try file.open(with: passphrase)
    } catch let error as KeyError {
      throw context.explain(error, at: place.path, of: place.option)
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
package protocol SignerUse {
  associatedtype Result

  func use(_ signer: borrowing some Signer & ~Copyable) throws -> Result
}
