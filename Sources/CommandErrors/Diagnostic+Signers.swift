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
    case .commandNotStarted(let error): self.init(notStarted: error)
    case .commandFailed(let program, let ending):
      self.init(
        .localFailure,
        kind: .signerFailed,
        "the signer \(program) \(ending.words)",
        notes: ["nothing was written"],
        helps: ["what it printed stands above"]
      )
    case .commandPrintedTooMuch, .commandComplainedTooMuch, .commandPrintedNoSignature:
      self.init(aboutOutput: error)
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

  private init(notStarted error: SystemError) {
    guard !error.isNotFound else {
      self.init(
        .notFound,
        kind: .noSuchProgram,
        "there is no program \(error.path ?? "of that name")",
        helps: ["name it with its path, or put its folder into PATH"]
      )
      return
    }
    self.init(
      .localFailure,
      kind: .signerFailed,
      "\(error.path ?? "the signer") cannot be started: \(error.reason)",
      helps: ["a program needs the permission to be run: chmod +x, or name its interpreter"]
    )
  }

  /// What a program printed instead of a signature.
  private init(aboutOutput error: SignerError) {
    var help =
      "it gets the bytes to sign on its standard input and prints 64 bytes, base64 or hexadecimal digits, nothing else"
    let message: String
    switch error {
    case .commandPrintedTooMuch(let program, let limit):
      message = "the signer \(program) printed more than \(limit) bytes, and was ended"
    case .commandComplainedTooMuch(let program, let limit):
      message =
        "the signer \(program) printed more than \(groupedText(limit)) bytes to its standard error, and was ended"
      help = "make it say less, or send what it says to a file"
    case .commandPrintedNoSignature(let program, let fault):
      message = "the signer \(program) printed no signature: \(fault.words)"
      help = fault.help ?? help
    default: message = "the signer failed: \(error)"
    }
    self.init(
      .localFailure,
      kind: .badSignerOutput,
      message,
      notes: ["nothing was written"],
      helps: [help]
    )
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
