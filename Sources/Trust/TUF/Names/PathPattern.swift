/// The paths that a delegation is about: `*` and `?` stand for text within one segment, `?` for one code point.
///
/// Segments are matched one to one, so `a/*` is not about `a/b/c`; there are no other special characters. A match takes
/// time proportional to the product of both lengths at most.
package struct PathPattern: Hashable, Sendable {
  private let pattern: ExactText

  package var text: String { pattern.text }

  package init(_ text: String) { pattern = ExactText(text) }

  /// Whether the whole path matches, byte by byte and case-sensitive.
  package func matches(_ path: TargetPath) -> Bool {
    let patterns = Self.segments(text)
    let segments = Self.segments(path.text)
    return patterns.count == segments.count
      && zip(patterns, segments).allSatisfy { Self.matches($0, $1) }
  }

  private static func segments(_ text: String) -> [ArraySlice<Unicode.Scalar>] {
    Array(text.unicodeScalars).split(separator: "/", omittingEmptySubsequences: false)
  }

  /// Compares one segment; on a mismatch the last `*` takes one scalar more.
  private static func matches(
    _ pattern: ArraySlice<Unicode.Scalar>,
    _ text: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    var (next, place) = (pattern.startIndex, text.startIndex)
    var retry: (pattern: Int, text: Int)?
    while place < text.endIndex {
      if next < pattern.endIndex, pattern[next] == "*" {
        retry = (next + 1, place)
        next += 1
      } else if next < pattern.endIndex, pattern[next] == "?" || pattern[next] == text[place] {
        next += 1
        place += 1
      } else if let last = retry {
        retry = (last.pattern, last.text + 1)
        (next, place) = (last.pattern, last.text + 1)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == "*" }
  }
}
