package import Testing

/// Marks a test with the rows of `Tests/FailureTable.md` that it shows.
///
///     @Test(.rows("A4", "A6")) func `…`()
///
/// The mark changes nothing; a test compares the marks in all sources with the table.
package struct FailureRows: TestTrait, SuiteTrait {
  package let ids: [String]
}

extension Trait where Self == FailureRows {
  /// The rows of the table of known failures that the test shows, such as `"A4"`.
  package static func rows(_ ids: String...) -> Self { FailureRows(ids: ids) }
}
