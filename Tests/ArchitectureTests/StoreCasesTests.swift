import Foundation
import Testing

/// The page of known failures tells of every row, and names only suites that exist.
@Suite struct StoreCasesTests {
  private static let rows: [(letter: String, count: Int)] = [
    ("A", 18), ("B", 12), ("C", 7), ("D", 7), ("E", 6), ("F", 9),
  ]

  private func cells() throws -> [[String]] {
    try SourceTree.lines(of: SourceTree.root.appending(path: "docs/store-cases.md"))
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| row") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  @Test func `every known failure is a row of the page`() throws {
    let told = try cells().flatMap { $0[0].components(separatedBy: ", ") }
    let known = Self.rows.flatMap { row in (1...row.count).map { "\(row.letter)\($0)" } }
    #expect(told.sorted() == known.sorted())
  }

  @Test func `every suite that the page names exists`() throws {
    let suites = Set(
      SourceTree.swiftFiles(beneath: "Tests").map { $0.deletingPathExtension().lastPathComponent }
    )
    for cell in try cells() where !cell[2].hasPrefix("–") {
      let names = cell[2].components(separatedBy: ", ")
      #expect(Set(names).isSubset(of: suites), "\(cell[0]): \(names)")
    }
  }
}
