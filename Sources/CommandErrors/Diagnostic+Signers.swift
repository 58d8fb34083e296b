package import CommandLineKit
package import Signatures
import SystemFiles

extension Diagnostic {
  /// Why an agent or a command gave no signature.
  package init(_ error: SignerError) {
    switch error {
    case .badCommand(let fault):
      self.init(
        .usage,
        kind: .badSignerCommand,
        "the signer is no command: \(fault.words)",
        helps: [fault.help]
      )
    case .commandNotStarted(let error) where error.isNotFound:
      self.init(
        .notFound,
        kind: .noSuchProgram,
        "there is no program \(error.path ?? "of that name")",
        helps: ["name it with its path, or put its folder into PATH"]
      )
    case .commandNotStarted(let error):
      self.init(
        .localFailure,
        kind: .signerFailed,
        "\(error.path ?? "the signer") cannot be started: \(error.reason)"
      )
    case .commandFailed(let program, let ending):
      self.init(
        .localFailure,
        kind: .signerFailed,
        "the signer \(program) \(ending.words)",
        notes: ["nothing was written"],
        helps: ["what it printed stands above"]
      )
    case .commandPrintedTooMuch(let program, let limit):
      self.init(
        .localFailure,
        kind: .badSignerOutput,
        "the signer \(program) printed more than \(limit) bytes, and was ended",
        helps: [Self.outputHelp]
      )
    case .commandPrintedNoSignature(let program, let fault):
      self.init(
        .localFailure,
        kind: .badSignerOutput,
        "the signer \(program) printed no signature: \(fault.words)",
        notes: ["nothing was written"],
        helps: [fault.help ?? Self.outputHelp]
      )
    case .noSignature(let fault):
      self.init(
        .notAccepted,
        kind: .noSignature,
        "that is no signature: \(fault.words)",
        helps: [
          fault.help ?? "64 bytes, their base64 or hexadecimal text, or a file of minisign -l"
        ]
      )
    default: self.init(aboutAgent: error)
    }
  }

  private static let outputHelp =
    "it gets the bytes to sign on its standard input and prints 64 bytes, base64 or hexadecimal digits, nothing else"

  private init(aboutAgent error: SignerError) {
    switch error {
    case .agentUnreachable(let error):
      self.init(
        .localFailure,
        kind: .noAgent,
        "no ssh-agent answers at \(error.path ?? "its socket"): \(error.reason)",
        helps: ["eval \"$(ssh-agent)\" starts one; SSH_AUTH_SOCK says where it listens"]
      )
    case .agentSilent(let seconds):
      self.init(
        .localFailure,
        kind: .silentAgent,
        "the ssh-agent did not list its keys within \(seconds) seconds",
        helps: ["ssh-add -l shows whether it answers at all"]
      )
    case .agentClosed(let request):
      self.init(
        .localFailure,
        kind: .badAgent,
        "the ssh-agent ended the connection when it was asked for \(request.words)"
      )
    case .agentAnswerTooLong(let found, let limit):
      self.init(
        .localFailure,
        kind: .badAgent,
        "the ssh-agent announces an answer of \(found) bytes, and \(limit) are the limit"
      )
    case .agentAnswerMalformed(let request):
      self.init(
        .localFailure,
        kind: .badAgent,
        "the ssh-agent did not answer as its protocol says when it was asked for \(request.words)"
      )
    case .agentRefused(let request):
      self.init(
        .localFailure,
        kind: .agentRefused,
        "the ssh-agent refused to give \(request.words)",
        notes: ["it is locked, or somebody or a rule of the key said no"],
        helps: ["ssh-add -X unlocks an agent, ssh-add adds a key to it"]
      )
    case .keyNotInAgent(let fingerprint, let offered): self.init(fingerprint, notAmong: offered)
    case .agentKeyUnfit(let key): self.init(unfit: key)
    case .tooLongForAgent(let found, let limit):
      self.init(
        .unusable,
        kind: .tooLongForAgent,
        "the manifest has \(found) bytes to sign, and an ssh-agent takes less than \(limit)",
        helps: [
          "sign with --key FILE or --signer COMMAND, or elsewhere with --emit-payload and --attach"
        ]
      )
    default:
      self.init(.internalError, "unexpected: \(error)")
    }
  }

  private init(_ fingerprint: Fingerprint, notAmong offered: [AgentKey]) {
    let shown = offered.prefix(16).map {
      "it has \($0.fingerprint) \($0.kind ?? "of an unknown kind") \($0.comment)"
    }
    let rest = offered.count - shown.count
    let isAnyFit = offered.contains { $0.kind == "ssh-ed25519" }
    self.init(
      .notFound,
      kind: .notInAgent,
      "the ssh-agent has no key \(fingerprint)",
      notes: offered.isEmpty
        ? ["it has no key at all, or is locked"] : shown + (rest > 0 ? ["and \(rest) more"] : []),
      helps: [
        isAnyFit || offered.isEmpty
          ? "ssh-add FILE adds a key to it, ssh-add -l lists them"
          : "none of them is an Ed25519 key: ssh-add FILE adds one"
      ]
    )
  }

  private init(unfit key: AgentKey) {
    let kind = key.kind ?? "unknown"
    self.init(
      .usage,
      kind: .unfitKey,
      "the key \(key.fingerprint) of the ssh-agent is of the kind \(kind), not ssh-ed25519",
      notes: kind.utf8.starts(with: "sk-".utf8)
        ? ["a FIDO key signs a structure of its own around a hash, which no manifest takes"] : [],
      helps: ["sign with a plain Ed25519 key: ssh-keygen -t ed25519 makes one"]
    )
  }
}

extension SignerError.Request {
  fileprivate var words: String {
    switch self {
    case .keys: "its keys"
    case .signature: "a signature"
    }
  }
}

extension ProgramExchange.Ending {
  fileprivate var words: String {
    switch self {
    case .exited(let code): "ended with exit code \(code)"
    case .signalled(let number): "was killed by signal \(number)"
    case .unknown: "ended, and nothing tells how"
    }
  }
}

extension CommandFault {
  fileprivate var words: String {
    switch self {
    case .empty: "it has no words"
    case .openQuote(let quote): "the quote \(quote) is not closed"
    case .backslashAtEnd: "a backslash stands at its end"
    case .forShell(let character): "\(character) means something to a shell only"
    case .assignment(let name): "\(name)= before the program sets a variable, as only a shell does"
    }
  }
}

extension CommandFault {
  fileprivate var help: String {
    switch self {
    case .assignment(let name): "the program env sets it: env \(name)=VALUE PROGRAM"
    default:
      "no shell runs it: quote what is to be one word, and put pipes and variables into a script"
    }
  }
}

extension SignatureFault {
  fileprivate var words: String {
    switch self {
    case .empty: "there is nothing in it"
    case .unrecognized(let count): "\(count) bytes of another form"
    case .prehashed: "minisign signed a hash of the bytes"
    case .openSSH: "it is an SSH signature, which covers other bytes"
    }
  }

  fileprivate var help: String? {
    switch self {
    case .prehashed: "minisign -S -l signs the bytes themselves"
    case .openSSH: "an ssh-agent signs with --ssh-agent FINGERPRINT"
    default: nil
    }
  }
}
