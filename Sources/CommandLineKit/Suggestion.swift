/// Returns the candidate that `text` was probably meant to be, or nil when none is near.
///
/// A candidate is near when at most a third of its letters, and at least one, must change, or when `text` is the
/// beginning of exactly one candidate. The first of equally near ones wins.
func suggestion(for text: String, among candidates: [String]) -> String? {
  let completions = candidates.filter {
    text.utf8.count >= 3 && $0.utf8.starts(with: text.utf8)
  }
  if completions.count == 1 { return completions[0] }
  var best: (name: String, distance: Int)?
  for candidate in candidates {
    let limit = max(1, candidate.utf8.count / 3)
    let distance = editDistance(Array(text.utf8.prefix(100)), Array(candidate.utf8))
    guard distance <= limit, distance < best?.distance ?? .max else { continue }
    best = (candidate, distance)
  }
  return best?.name
}

/// Returns how many insertions, deletions, changes and swaps of neighbours turn `from` into `to`.
func editDistance(_ from: [UInt8], _ to: [UInt8]) -> Int {
  guard !from.isEmpty, !to.isEmpty else { return max(from.count, to.count) }
  var beforePrevious: [Int] = []
  var previous = Array(0...to.count)
  for row in from.indices {
    var current = [row + 1]
    for column in to.indices {
      let change = previous[column] + (from[row] == to[column] ? 0 : 1)
      var cost = min(previous[column + 1] + 1, current[column] + 1, change)
      if row > 0, column > 0, from[row] == to[column - 1], from[row - 1] == to[column] {
        cost = min(cost, beforePrevious[column - 1] + 1)
      }
      current.append(cost)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[to.count]
}
