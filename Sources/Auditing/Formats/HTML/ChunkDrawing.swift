import Digests

/// The drawing of a grid of chunks, as SVG.
///
/// Right and unread cells are runs that a pattern fills, so the drawing stays small with thousands of them; each wrong
/// cell is drawn for itself.
struct ChunkDrawing {
  private static let width = 1000.0
  private static let left = 78.0
  private static let right = 112.0
  private static let top = 10.0
  /// How far apart labels must be to be read.
  private static let labelHeight = 14.0

  private let grid: ChunkGrid
  private let file: AuditedFile
  private let id: String
  /// The wrong chunks by the row of their cell.
  private let wrongByRow: [(row: Int, chunks: [WrongChunk])]
  private let wrongCount: Int

  init(_ grid: ChunkGrid, of file: AuditedFile, wrong: [WrongChunk], id: String) {
    (self.grid, self.file, self.id) = (grid, file, id)
    let rows = Dictionary(grouping: wrong) { $0.index / grid.chunksPerCell / grid.columns }
    wrongByRow = rows.sorted { $0.key < $1.key }.map { (row: $0.key, chunks: $0.value) }
    wrongCount = wrong.count
  }

  private var pitch: Double { (Self.width - Self.left - Self.right) / Double(grid.columns) }
  private var gap: Double { pitch < 9 ? 1 : 2 }
  private var cell: Double { pitch - gap }
  private var height: Double { 2 * Self.top + Double(grid.rows) * pitch }

  func write(to html: inout MarkupText) {
    let label =
      "Map of \(counted(file.chunks.count, "chunk")) of \(file.path); \(grouped(wrongCount)) wrong"
    html.write(
      "svg",
      [
        "class": "chunks", "viewBox": "0 0 \(number(Self.width)) \(number(height))",
        "role": "group",
        "aria-label": label,
      ]
    ) { html in
      html.write(markup: patterns)
      html.write(markup: "<g aria-hidden=\"true\">\(cells)\(offsets)\(guides)</g>")
      if wrongCount <= ChunkMap.rowLimit {
        for (_, chunks) in wrongByRow { writeMarks(of: chunks, to: &html) }
      }
    }
  }

  // MARK: Cells

  private var patterns: String {
    let corner = number(min(1.5, cell / 5))
    let shapes: [(AuditedFile.ChunkState, String)] = [
      (
        .verified,
        "<rect class=\"right\" width=\"\(number(cell))\" height=\"\(number(cell))\" rx=\"\(corner)\"/>"
      ),
      (
        .notRead,
        "<rect class=\"unread\" x=\".5\" y=\".5\" width=\"\(number(cell - 1))\" height=\"\(number(cell - 1))\" rx=\"\(corner)\"/>"
      ),
    ]
    let side = number(pitch)
    return "<defs>"
      + shapes.map { state, shape in
        "<pattern id=\"\(id)\(state.rawValue)\" x=\"\(number(Self.left))\" y=\"\(number(Self.top))\" width=\"\(side)\" "
          + "height=\"\(side)\" patternUnits=\"userSpaceOnUse\">\(shape)</pattern>"
      }.joined() + "</defs>"
  }

  private var cells: String {
    // Whole rows of one state, as most are, are drawn as one.
    var blocks: [(run: ChunkGrid.Run, rows: Int)] = []
    for run in grid.runs {
      if let last = blocks.last, last.run.state == run.state, last.run.columns == run.columns,
        run.columns == 0..<grid.columns, run.state != .wrong
      {
        blocks[blocks.count - 1].rows += 1
      } else {
        blocks.append((run, 1))
      }
    }
    return blocks.map { draw($0.run, rows: $0.rows) }.joined()
  }

  private func draw(_ run: ChunkGrid.Run, rows: Int) -> String {
    let (x, y) = place(row: run.row, column: run.columns.lowerBound)
    let width = Double(run.columns.count) * pitch
    guard run.state == .wrong else {
      return
        "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(Double(rows) * pitch))\" "
        + "fill=\"url(#\(id)\(run.state.rawValue))\"/>"
    }
    // A little larger than the others, and without a gap between neighbours.
    return
      "<rect class=\"wrong\" x=\"\(number(x - 0.5))\" y=\"\(number(y - 0.5))\" width=\"\(number(width - gap + 1))\" "
      + "height=\"\(number(cell + 1))\"/>"
  }

  private func place(row: Int, column: Int) -> (x: Double, y: Double) {
    (Self.left + Double(column) * pitch, Self.top + Double(row) * pitch)
  }

  // MARK: Labels

  private var offsets: String {
    let table = file.signed?.chunks?.chunks ?? []
    let step = max(1, Int((2 * Self.labelHeight / pitch).rounded(.up)))
    return stride(from: 0, to: grid.rows, by: step).map { row in
      let chunk = row * grid.columns * grid.chunksPerCell
      guard table.indices.contains(chunk) else { return "" }
      let offset = table[chunk].offset
      let y = place(row: row, column: 0).y + cell / 2 + 4
      return
        "<text class=\"label\" x=\"\(number(Self.left - 10))\" y=\"\(number(y))\" text-anchor=\"end\">"
        + "\(offset == 0 ? "0" : rounded(bytes: offset))</text>"
    }.joined()
  }

  /// For each row with wrong chunks a line to its end and a flag there that names them.
  private var guides: String {
    let edge = Self.left + Double(grid.columns) * pitch
    var lastLabel = -Double.infinity
    return wrongByRow.map { row, chunks in
      let first = chunks[0].index / grid.chunksPerCell % grid.columns
      let y = place(row: row, column: 0).y + cell / 2
      let x = place(row: row, column: first).x + cell
      var text = "<path class=\"flag\" d=\"M\(number(edge + 2)) \(number(y))l7 -4.5v9z\"/>"
      if wrongCount <= ChunkMap.rowLimit {
        text += "<path class=\"guide\" d=\"M\(number(x)) \(number(y))H\(number(edge + 2))\"/>"
      }
      guard y - lastLabel >= Self.labelHeight else { return text }
      lastLabel = y
      return text
        + "<text class=\"label here\" x=\"\(number(edge + 13))\" y=\"\(number(y + 4))\">\(name(of: chunks))</text>"
    }.joined()
  }

  private func name(of chunks: [WrongChunk]) -> String {
    chunks.count == 1 ? "chunk \(grouped(chunks[0].index))" : counted(chunks.count, "chunk")
  }

  // MARK: Marks

  /// Rings wrong cells, those next to each other together, and leads from each ring to its row of the table.
  private func writeMarks(of chunks: [WrongChunk], to html: inout MarkupText) {
    var groups: [[WrongChunk]] = []
    for chunk in chunks {
      let cell = chunk.index / grid.chunksPerCell
      if let last = groups.last?.last, cell - last.index / grid.chunksPerCell <= 1 {
        groups[groups.count - 1].append(chunk)
      } else {
        groups.append([chunk])
      }
    }
    for group in groups { writeMark(of: group[0], to: group[group.count - 1], in: &html) }
  }

  private func writeMark(of first: WrongChunk, to last: WrongChunk, in html: inout MarkupText) {
    let cellIndex = first.index / grid.chunksPerCell
    let (row, column) = cellIndex.quotientAndRemainder(dividingBy: grid.columns)
    let (x, y) = place(row: row, column: column)
    let count = last.index / grid.chunksPerCell - cellIndex + 1
    let chunks =
      first.index == last.index
      ? "chunk \(grouped(first.index))"
      : "chunks \(grouped(first.index)) to \(grouped(last.index))"
    let text =
      "\(chunks): bytes \(grouped(first.range.lowerBound)) to \(grouped(last.range.upperBound - 1))"
    // Around a small cell the ring keeps a distance from which it can be seen.
    let margin = max(4, 8 - cell / 2)
    let (width, height) = (Double(count) * pitch - gap + 2 * margin, cell + 2 * margin)
    html.write("a", ["class": "cell", "href": "#\(id)c\(first.index)", "aria-label": text]) {
      html in
      html.write("title", [:], text)
      html.write(
        markup: "<rect class=\"ring\" x=\"\(number(x - margin))\" y=\"\(number(y - margin))\" "
          + "width=\"\(number(width))\" height=\"\(number(height))\" rx=\"\(number(height / 2))\"/>"
      )
    }
  }

  /// A coordinate with at most two decimals.
  private func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, rest) = Int(hundredths.magnitude).quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(whole)" }
    let digits = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
    return "\(sign)\(whole).\(digits)"
  }
}
