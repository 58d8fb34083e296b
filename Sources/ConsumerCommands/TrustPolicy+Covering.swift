import Manifests
import Trust

extension TrustPolicy {
  /// The rule for this very pattern, else the most specific one whose pattern covers all of it.
  func rule(covering models: ModelPattern) -> TrustRule? {
    rules.first { $0.models == models || $0.models.covers(models) }
  }
}

extension ModelPattern {
  /// Whether this pattern matches whatever `other` matches, told from names that have nothing else in common.
  fileprivate func covers(_ other: ModelPattern) -> Bool {
    let names = ["0", "zz9"].compactMap { filling in
      try? ModelName(
        other.text.split(separator: "*", omittingEmptySubsequences: false).joined(
          separator: filling
        )
      )
    }
    return !names.isEmpty && names.allSatisfy(matches)
  }
}
