/// How a command ended, as a number that scripts can act on.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case internalError = 1
  case usage = 2
  case notFound = 3
  case network = 4
  case wrongBytes = 5
  case notAccepted = 6
  case busy = 7
  case localFailure = 8
  case unusable = 9
  case findings = 10
  case interrupted = 130

  /// The word that stands for the code in JSON.
  package var word: String { DiagnosticKind(self).rawValue }

  /// The meaning in one line, as help shows it.
  package var meaning: String {
    switch self {
    case .done: "done"
    case .internalError: "internal error"
    case .usage: "the command line or a setting is wrong"
    case .notFound: "no such model, version or file"
    case .network: "every mirror failed; trying again may help"
    case .wrongBytes: "a file's bytes differ from the manifest"
    case .notAccepted:
      "the manifest is not accepted: signature, signer, expiry, rollback or withdrawal"
    case .busy: "another process holds the lock; trying again may help"
    case .localFailure: "a local file could not be read or written, or the disk is full"
    case .unusable: "signed but unusable: malformed, wrong format, or no suitable runtime"
    case .findings: "finished, with findings"
    case .interrupted: "interrupted"
    }
  }
}
