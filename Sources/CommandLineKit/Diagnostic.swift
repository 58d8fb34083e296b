/// What went wrong, for a person and for a script: an exit code, a message, facts, and what to do next.
///
/// Messages start in lower case and end without a full stop. They may carry text from outside: it is escaped
/// when the diagnostic is printed.
package struct Diagnostic: Error, Equatable, Sendable {
  package let exitCode: ExitCode
  /// A finer word than the exit code's, such as `noSpace`; `explain` has a page about it.
  package let kind: DiagnosticKind
  package let message: String
  /// Facts: what was expected, what was found, which mirror or key.
  package let notes: [String]
  /// What to do next, one step each.
  package let helps: [String]

  /// Creates a diagnostic whose kind is the exit code's word unless `kind` says more.
  package init(
    _ exitCode: ExitCode,
    kind: DiagnosticKind? = nil,
    _ message: String,
    notes: [String] = [],
    helps: [String] = []
  ) {
    self.exitCode = exitCode
    self.kind = kind ?? DiagnosticKind(exitCode)
    self.message = message
    self.notes = notes
    self.helps = helps
  }

  /// The same with one more fact.
  package func noting(_ fact: String) -> Diagnostic {
    Diagnostic(exitCode, kind: kind, message, notes: notes + [fact], helps: helps)
  }
}

/// How much a diagnostic matters.
package enum Severity: String, Sendable {
  case error
  case warning
}

extension Diagnostic {
  /// The lines a terminal shows: `error: what happened`, then `  note: facts`, then `  help: what to do`.
  package func lines(as severity: Severity = .error, hasColor: Bool = false) -> [String] {
    func label(_ word: String, _ color: String) -> String {
      hasColor ? "\u{1B}[\(color)m\(word):\u{1B}[0m" : "\(word):"
    }
    let first = label(severity.rawValue, severity == .error ? "1;31" : "1;33")
    return ["\(first) \(printable(message))"]
      + notes.map { "  \(label("note", "1")) \(printable($0))" }
      + helps.map { "  \(label("help", "1")) \(printable($0))" }
  }
}
