import CommandLineKit
import Signatures
import SystemFiles

extension Diagnostic {
  /// Why an ssh-agent gave no signature.
  init(aboutAgent error: SignerError) {
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
    default: self.init(aboutProtocol: error)
    }
  }

  /// What an agent did that its protocol does not have.
  private init(aboutProtocol error: SignerError) {
    let message =
      switch error {
      case .agentClosed(let request):
        "the ssh-agent ended the connection when it was asked for \(request.words)"
      case .agentAnswerTooLong(let found, let limit):
        "the ssh-agent announces an answer of \(found) bytes, and \(limit) are the limit"
      case .agentAnswerMalformed(let request):
        "the ssh-agent did not answer as its protocol says when it was asked for \(request.words)"
      default: "the ssh-agent failed: \(error)"
      }
    self.init(
      .localFailure,
      kind: .badAgent,
      message,
      helps: ["ssh-add -l shows whether an agent of OpenSSH answers at SSH_AUTH_SOCK"]
    )
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
