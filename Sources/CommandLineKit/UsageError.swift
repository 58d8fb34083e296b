/// A command line or setting that cannot be understood; it ends a tool with exit code 2.
package struct UsageError: Error, Equatable, Sendable {
  package let message: String
  package let notes: [String]
  package let helps: [String]

  package init(_ message: String, notes: [String] = [], helps: [String] = []) {
    self.message = message
    self.notes = notes
    self.helps = helps
  }

  /// The error as a diagnostic, with `usage` as the last help.
  package func diagnostic(usage: String? = nil) -> Diagnostic {
    Diagnostic(
      .usage,
      message,
      notes: notes,
      helps: helps + (usage.map { ["usage: \($0)"] } ?? [])
    )
  }

  /// Returns what a parser's `error` says about the value that `source` names: an option, operand or variable.
  static func value(
    of source: String,
    _ error: any Error,
    explain: (any Error) -> Diagnostic
  ) -> UsageError {
    if let usage = error as? UsageError {
      return UsageError("\(source): \(usage.message)", notes: usage.notes, helps: usage.helps)
    }
    let diagnostic = error as? Diagnostic ?? explain(error)
    return UsageError(
      "\(source): \(diagnostic.message)",
      notes: diagnostic.notes,
      helps: diagnostic.helps
    )
  }
}
