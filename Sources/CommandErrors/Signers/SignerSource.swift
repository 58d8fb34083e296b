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
    let ready = try await makeReady(expecting: expected, context)
    return try ready.lend(to: use)
  }

  /// Opens the key file, or finds the key in the agent: what can fail before there is something to sign.
  ///
  /// - Throws: What the signer throws, and a diagnostic for a key that nobody expects.
  package func makeReady(
    expecting expected: [PublicKey],
    _ context: CommandContext
  ) async throws -> ReadySigner {
    let ready = try await signer(context)
    let key = ready.publicKey
    guard expected.isEmpty || expected.contains(key) else {
      throw Diagnostic(
        .notAccepted,
        kind: .unexpectedKey,
        "\(key) is none of the keys after --pub",
        notes: expected.map { "expected \($0)" } + ["nothing was written"]
      )
    }
    return ready
  }

  private func signer(_ context: CommandContext) async throws -> ReadySigner {
    switch self {
    case .keyFile(let place):
      return .key(try await open(place, context))
    case .agent(let fingerprint):
      let signer = try AgentSigner(fingerprint, agent: try agentPath(context))
      context.console.inform("asking the ssh-agent, which may ask back")
      return .agent(signer)
    case .command(let command, let key):
      let console = context.console
      return .command(
        CommandSigner(command, publicKey: try key.key(context).publicKey) { line in
          console.relay(line, from: "signer")
        }
      )
    }
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
