import SystemFiles

/// How a check reads a file, besides from start to end.
package struct ReadingManner: Sendable {
  /// Called on any thread before bytes are read, with their count; it may wait.
  package var pace: (@Sendable (Int) -> Void)?
  /// Whether pages leave the page cache once they were read, so that those of others can stay.
  package var leavesNoCache = false

  package init() {}

  /// Lets the pages of a range go that was read.
  func leave(_ range: Range<Int>, of file: borrowing OpenFile) {
    if leavesNoCache { file.dropCache(at: range.lowerBound, count: range.count) }
  }
}
