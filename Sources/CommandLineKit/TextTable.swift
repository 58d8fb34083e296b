/// Rows of text in aligned columns, two spaces apart.
package struct TextTable: Equatable, Sendable {
  /// On which side of its column a cell stands.
  package enum Alignment: Equatable, Sendable { case left, right }

  private let alignments: [Alignment]
  private var rows: [[String]]

  /// Creates a table with a title above each column; numbers belong in right-aligned columns.
  package init(_ titles: [String], alignments: [Alignment]? = nil) {
    self.alignments = alignments ?? titles.map { _ in .left }
    precondition(self.alignments.count == titles.count)
    rows = [titles]
  }

  /// Creates a table without titles.
  package init(columns alignments: [Alignment]) {
    self.alignments = alignments
    rows = []
  }

  /// Adds a row with one cell for each column; cells may carry text from outside, which is escaped.
  package mutating func append(_ cells: [String]) {
    precondition(cells.count == alignments.count)
    rows.append(cells.map(printable))
  }

  /// The lines of the table, without spaces at their ends.
  package var lines: [String] {
    let widths = alignments.indices.map { column in
      rows.map { displayWidth($0[column]) }.max() ?? 0
    }
    return rows.map { cells in
      var line = ""
      for (column, cell) in cells.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - displayWidth(cell))
        line +=
          (column > 0 ? "  " : "") + (alignments[column] == .left ? cell + padding : padding + cell)
      }
      while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
      return line
    }
  }
}
