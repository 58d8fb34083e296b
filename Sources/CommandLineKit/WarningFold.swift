/// Which of many warnings of a long run are shown: the first few of each subject.
package struct WarningFold: Equatable, Sendable {
  private var counts: [String: Int] = [:]
  private let showsAll: Bool

  /// Folds nothing where all are shown, as in a verbose run.
  package init(showsAll: Bool) { self.showsAll = showsAll }

  /// Counts a warning about `subject`; returns whether it is shown.
  package mutating func shows(_ subject: String) -> Bool {
    if showsAll { return true }
    counts[subject, default: 0] += 1
    return counts[subject, default: 0] <= Console.shownOfOneKind
  }

  /// Returns a line for each subject that tells how many of its warnings were not shown, and begins anew.
  package mutating func takeRest() -> [String] {
    let rest = counts.sorted { $0.key < $1.key }.compactMap { subject, count -> String? in
      let unseen = count - Console.shownOfOneKind
      return unseen > 0 ? "\(subject): \(counted(unseen, "more fault")) like this" : nil
    }
    counts = [:]
    return rest
  }
}
