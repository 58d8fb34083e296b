/// What `explain` says of one kind of diagnostic.
///
/// Texts are like those of diagnostics: they start in lower case and have no full stop.
package struct KindPage: Equatable, Sendable {
  package let kind: DiagnosticKind
  /// The exit codes with which a tool ends when it reports the kind as an error; none for what is only warned about.
  package let codes: [ExitCode]
  /// What it means, in one line.
  package let meaning: String
  /// What usually brings it about.
  package let causes: [String]
  /// What to do, the most likely to help first.
  package let helps: [String]

  package init(
    _ kind: DiagnosticKind,
    _ codes: ExitCode...,
    means meaning: String,
    causes: [String],
    helps: [String]
  ) {
    self.kind = kind
    self.codes = codes
    self.meaning = meaning
    self.causes = causes
    self.helps = helps
  }
}
