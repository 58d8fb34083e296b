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
        warn(diagnostic, noting: "and \(counted(rest)) like this; --verbose shows all")
      } else {
        warnUnseen(diagnostic)
      }
    }
  }

  private func counted(_ count: Int) -> String {
    count == 1 ? "1 more" : "\(groupedText(count)) more"
  }
}

/// Which of many warnings of a long run are shown: the first few of each subject.
package struct WarningFold: Equatable, Sendable {
  private var counts: [String: Int] = [:]

  package init() {}

  /// Counts a warning about `subject`; returns whether it is shown.
  package mutating func shows(_ subject: String) -> Bool {
    counts[subject, default: 0] += 1
    return counts[subject, default: 0] <= Console.shownOfOneKind
  }

  /// Returns the subjects with how many of their warnings were not shown, and begins anew.
  package mutating func takeRest() -> [(subject: String, count: Int)] {
    let rest = counts.compactMap { subject, count in
      count > Console.shownOfOneKind ? (subject, count - Console.shownOfOneKind) : nil
    }
    counts = [:]
    return rest.sorted { $0.0 < $1.0 }
  }
}
