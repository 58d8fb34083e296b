package import SystemFiles

/// Why a signer outside of this program, an agent or a command, gave no signature.
///
/// Texts in it come from that signer: whoever prints them escapes them.
package enum SignerError: Error, Hashable, Sendable {
  /// What an agent was asked for.
  package enum Request: Hashable, Sendable { case keys, signature }

  // Agents.

  /// Nobody answers at the socket.
  case agentUnreachable(SystemError)
  /// The agent gave no list of its keys within this time.
  case agentSilent(seconds: Int)
  /// The agent ended the connection instead of answering.
  case agentClosed(Request)
  /// The agent announced an answer of so many bytes, of which none was read.
  case agentAnswerTooLong(found: Int, limit: Int)
  /// The answer does not follow the protocol.
  case agentAnswerMalformed(Request)
  /// The agent said no: a person did, the agent is locked, or it does not have the key any more.
  case agentRefused(Request)
  case keyNotInAgent(Fingerprint, offered: [AgentKey])
  /// The agent has this key, which is no plain Ed25519 key.
  case agentKeyUnfit(AgentKey)
  /// What is to be signed is longer than agents take.
  case tooLongForAgent(found: Int, limit: Int)

  // Commands.

  case badCommand(CommandFault)
  case commandNotStarted(SystemError)
  case commandFailed(program: String, ProgramExchange.Ending)
  case commandPrintedTooMuch(program: String, limit: Int)
  /// It printed more than `limit` bytes to its standard error, and was ended.
  case commandComplainedTooMuch(program: String, limit: Int)
  case commandPrintedNoSignature(program: String, SignatureFault)

  // Files.

  case noSignature(SignatureFault)
}

/// Why a text is no command line.
package enum CommandFault: Error, Hashable, Sendable {
  case empty
  case openQuote(Character)
  case backslashAtEnd
  /// A character with which only a shell could do something.
  case forShell(Character)
  /// A variable of this name is set before the program, which a shell does.
  case assignment(String)
}

/// Why bytes are no Ed25519 signature in a known form.
package enum SignatureFault: Error, Hashable, Sendable {
  case empty
  /// So many bytes are neither a signature nor its base64 or hexadecimal text.
  case unrecognized(count: Int)
  /// Minisign has signed a hash of the bytes instead of the bytes.
  case prehashed
  /// An SSH signature covers a frame of its own around a hash.
  case openSSH
}
