import Foundation
import Testing

/// `Tests/FailureTable.md` and the marks of the tests say the same.
@Suite struct FailureTableTests {
  /// The letters of the table and how many rows each has.
  private static let counts = [
    ("A", 20), ("B", 12), ("C", 5), ("D", 2), ("E", 8), ("F", 9), ("G", 5), ("H", 8),
  ]

  private static let ids = counts.flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }

  /// The files of tests with a mark for each row.
  private static func marks() throws -> [String: Set<String>] {
    var marks: [String: Set<String>] = [:]
    for file in SourceTree.swiftFiles(beneath: "Tests") where file.path != #filePath {
      let name = file.deletingPathExtension().lastPathComponent
      // The trait's own page shows how it is used.
      guard name != "FailureRows" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      for use in text.components(separatedBy: ".rows(").dropFirst() {
        let words = use.prefix { $0 != ")" }.split(
          separator: "\"",
          omittingEmptySubsequences: false
        )
        for (index, word) in words.enumerated() where index % 2 == 1 {
          marks[String(word), default: []].insert(name)
        }
      }
    }
    return marks
  }

  /// The files that the page names for each row; none where it says that the row is open.
  private static func page() throws -> [String: Set<String>] {
    let path = SourceTree.root.appending(path: "Tests/FailureTable.md")
    var rows: [String: Set<String>] = [:]
    for line in try SourceTree.lines(of: path) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count >= 2, ids.contains(cells[0]) else { continue }
      let files = cells.count < 3 ? "" : cells[2]
      rows[cells[0]] = Set(
        files == "open"
          ? [] : files.split(separator: "`").map(String.init).filter { $0 != ", " && !$0.isEmpty }
      )
    }
    return rows
  }

  @Test func `every row is on the page, and every mark is a row`() throws {
    #expect(try Set(Self.page().keys) == Set(Self.ids))
    #expect(try Set(Self.marks().keys).subtracting(Self.ids) == [])
  }

  @Test(arguments: ids)
  func `a row is shown by the tests that the page names`(id: String) throws {
    let named = try #require(Self.page()[id])
    #expect(try Self.marks()[id] ?? [] == named)
  }
}
