extension Console {
  /// How many warnings of one kind are shown before the rest is only counted.
  package static let shownOfOneKind = 3

  /// Reports several warnings; of those of one kind a run that is not verbose shows the first, and counts the rest.
  ///
  /// JSON has all of them.
  package func warn(_ diagnostics: [Diagnostic]) {
    var seen: [DiagnosticKind: Int] = [:]
    for diagnostic in diagnostics {
      let total = diagnostics.count { $0.kind == diagnostic.kind }
      let rest = style.verbosity >= .verbose ? 0 : total - Self.shownOfOneKind
      let count = seen[diagnostic.kind, default: 0] + 1
      seen[diagnostic.kind] = count
      if rest <= 0 || count < Self.shownOfOneKind {
        warn(diagnostic)
      } else if count == Self.shownOfOneKind {
        warn(diagnostic, noting: "and \(groupedText(rest)) more like this; --verbose shows all")
      } else {
        warnUnseen(diagnostic)
      }
    }
  }
}
