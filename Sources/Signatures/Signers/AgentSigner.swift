/// A key in an SSH agent, which signs raw as RFC 8032 says and never shows the key.
///
/// The agent is believed nothing: the key is chosen by its fingerprint, and its signature counts once it verifies. FIDO keys
/// (`sk-ssh-ed25519@openssh.com`) sign another structure and are refused, as are all other kinds.
package struct AgentSigner: ~Copyable, Signer {
  /// How long an agent may take to list its keys; it may take any time to sign, since it may ask a person.
  package static let patience = Duration.seconds(60)

  package let publicKey: PublicKey
  private let connection: AgentConnection

  /// Finds the key named `fingerprint` in the agent whose socket is at `path`.
  ///
  /// Blocks the calling thread until the agent answers; a cancelled task ends the wait.
  /// - Throws: ``SignerError``, `CancellationError`.
  package init(
    _ fingerprint: Fingerprint,
    agent path: String,
    patience: Duration = AgentSigner.patience
  ) throws {
    let connection = try AgentConnection(path: path, within: patience)
    try self.init(fingerprint, connection, patience: patience)
  }

  /// Finds the key over a socket that is connected to an agent, and takes the socket over.
  package init(_ fingerprint: Fingerprint, socket: CInt, patience: Duration) throws {
    try self.init(fingerprint, AgentConnection(socket: socket), patience: patience)
  }

  private init(
    _ fingerprint: Fingerprint,
    _ connection: consuming AgentConnection,
    patience: Duration
  ) throws {
    let answer = try connection.answer(to: AgentProtocol.keysRequest, .keys, within: patience)
    let key = try Self.key(fingerprint, among: AgentProtocol.keys(answer))
    publicKey = key
    self.connection = connection
  }

  private static func key(
    _ fingerprint: Fingerprint,
    among keys: [AgentKey]
  ) throws(SignerError) -> PublicKey {
    guard let key = keys.first(where: { $0.fingerprint == fingerprint }) else {
      throw .keyNotInAgent(fingerprint, offered: keys)
    }
    do { return try PublicKey(openSSHBlob: key.blob.span) } catch { throw .agentKeyUnfit(key) }
  }

  /// Asks the agent to sign, for as long as it takes; blocks the calling thread.
  ///
  /// - Throws: ``SignerError``, and `CancellationError` once the task is cancelled.
  package borrowing func sign(_ message: [UInt8]) throws -> Signature {
    guard let request = AgentProtocol.signatureRequest(publicKey, message) else {
      throw SignerError.tooLongForAgent(found: message.count, limit: AgentProtocol.limit)
    }
    return try AgentProtocol.signature(connection.answer(to: request, .signature))
  }
}
