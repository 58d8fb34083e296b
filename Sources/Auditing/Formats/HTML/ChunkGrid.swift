import Digests

/// The chunks of a file as cells in rows: a cell for each chunk, or for several where there are very many.
struct ChunkGrid {
  /// The most cells of a map; more would be too small to see.
  static let cellLimit = 8_192
  /// How much higher than wide a map may be, as a fraction of its width.
  private static let greatestShape = 0.45
  private static let leastColumns = 50

  /// Cells next to each other in one row, of one state.
  struct Run: Equatable {
    let state: AuditedFile.ChunkState
    let row: Int
    let columns: Range<Int>
  }

  /// How many chunks a cell stands for; the last one may stand for fewer.
  let chunksPerCell: Int
  let cells: [AuditedFile.ChunkState]
  let columns: Int

  init(_ chunks: [AuditedFile.ChunkState]) {
    let chunksPerCell = max(1, (chunks.count + Self.cellLimit - 1) / Self.cellLimit)
    self.chunksPerCell = chunksPerCell
    cells = stride(from: 0, to: chunks.count, by: chunksPerCell).map { start in
      Self.state(of: chunks[start..<min(start + chunksPerCell, chunks.count)])
    }
    columns = Self.columns(for: cells.count)
  }

  var rows: Int { (cells.count + columns - 1) / columns }

  /// The runs of all cells, row by row.
  var runs: [Run] {
    var runs: [Run] = []
    for (index, state) in cells.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      if let last = runs.last, last.state == state, last.row == row {
        runs[runs.count - 1] = Run(
          state: state,
          row: row,
          columns: last.columns.lowerBound..<column + 1
        )
      } else {
        runs.append(Run(state: state, row: row, columns: column..<column + 1))
      }
    }
    return runs
  }

  /// Wrong where one chunk is, right where all are.
  private static func state(of chunks: ArraySlice<AuditedFile.ChunkState>) -> AuditedFile.ChunkState
  {
    if chunks.contains(.wrong) { return .wrong }
    return chunks.contains(.notRead) ? .notRead : .verified
  }

  private static func columns(for count: Int) -> Int {
    var columns = leastColumns
    while Double((count + columns - 1) / columns) > Double(columns) * greatestShape {
      columns += 10
    }
    return columns
  }
}
