import Digests

/// A map of the chunks of a file, and a table of those that are wrong.
///
/// Wrong cells differ from right ones in brightness, have a ring around them and a flag at the edge of their row; cells
/// that were not read are hollow. A wrong cell leads to its row in the table, which tells the bytes.
struct ChunkMap {
  /// The most wrong cells that are ringed, and the most wrong chunks with a row in the table.
  static let rowLimit = 200
  /// The most ranges of bytes that are told of the chunks without a row.
  private static let rangeLimit = 500

  private let file: AuditedFile
  private let id: String

  init(_ file: AuditedFile, id: String) { (self.file, self.id) = (file, id) }

  private var wrong: [WrongChunk] { file.findings.flatMap(\.chunks) }

  func write(to html: inout MarkupText) {
    let grid = ChunkGrid(file.chunks)
    let wrong = wrong
    html.write("section", ["class": "map", "id": id]) { html in
      html.write("h4") { $0.write("code", [:], file.path) }
      html.write("p", ["class": "light"], summary(of: grid))
      html.write("div", ["class": "scroll"]) { html in
        ChunkDrawing(grid, of: file, wrong: wrong, id: id).write(to: &html)
      }
      writeLegend(to: &html)
    }
    if !wrong.isEmpty { writeTable(of: wrong, to: &html) }
  }

  private func summary(of grid: ChunkGrid) -> String {
    let size = file.signed.map { rounded(bytes: $0.size) } ?? ""
    var parts = ["\(counted(file.chunks.count, "chunk")), \(size)"]
    let bad = file.chunks.count { $0 == .wrong }
    let unread = file.chunks.count { $0 == .notRead }
    parts.append(bad > 0 ? "\(grouped(bad)) wrong" : unread > 0 ? "none wrong" : "all as signed")
    if unread > 0 { parts.append("\(grouped(unread)) not read") }
    var text = parts.joined(separator: "; ") + "."
    if grid.chunksPerCell > 1 { text += " Each square stands for \(grid.chunksPerCell) chunks." }
    return text + " Offsets at the left are those of the first square in the row."
  }

  private func writeLegend(to html: inout MarkupText) {
    let isRinged = wrong.count <= Self.rowLimit
    let states: [(AuditedFile.ChunkState, String)] = [
      (.verified, "as signed"), (.notRead, "not read"),
      (
        .wrong,
        isRinged
          ? "wrong: ringed, with a flag at the right; each leads to its bytes"
          : "wrong, with a flag at the right"
      ),
    ]
    html.write("p", ["class": "legend"]) { html in
      for (state, text) in states where file.chunks.contains(state) {
        html.write("span") { html in
          html.write(markup: state.swatch)
          html.write(text: text)
        }
      }
    }
  }

  private func writeTable(of wrong: [WrongChunk], to html: inout MarkupText) {
    html.write("div", ["class": "scroll"]) { html in
      html.write("table", ["class": "chunk-rows"]) { html in
        html.write(
          "caption",
          [:],
          "Wrong chunks of \(file.path), in bytes from the start of the file."
        )
        html.writeHeader(
          ["Chunk", "First byte", "Last byte", "Signed and found SHA-256"],
          numbers: [0, 1, 2]
        )
        html.write("tbody") { html in
          for chunk in wrong.prefix(Self.rowLimit) { write(chunk, to: &html) }
        }
      }
    }
    let rest = wrong.dropFirst(Self.rowLimit)
    guard !rest.isEmpty else { return }
    let ranges = rest.byteRanges
    let told = ranges.prefix(Self.rangeLimit)
      .map { "\(grouped($0.lowerBound))–\(grouped($0.upperBound - 1))" }
    html.write("p", ["class": "more"]) { html in
      html.write(text: "\(counted(rest.count, "chunk")) more, at the bytes ")
      html.write(text: told.joined(separator: "; "))
      let left = ranges.count - Self.rangeLimit
      html.write(
        text: left > 0 ? "; and in \(counted(left, "range")) more, in the JSON report." : "."
      )
    }
  }

  private func write(_ chunk: WrongChunk, to html: inout MarkupText) {
    html.write("tr", ["id": "\(id)c\(chunk.index)"]) { html in
      html.write("th", ["scope": "row", "class": "number"], grouped(chunk.index))
      html.write("td", ["class": "number"], grouped(chunk.range.lowerBound))
      html.write("td", ["class": "number"], grouped(chunk.range.upperBound - 1))
      html.write("td") { html in
        html.write("dl", ["class": "values"]) { html in
          html.write("dt", [:], "signed")
          html.write("dd") { $0.write("code", [:], chunk.expected.hex) }
          html.write("dt", [:], "found")
          html.write("dd") { $0.write("code", [:], chunk.found?.hex ?? "the file ends before") }
        }
      }
    }
  }
}

extension AuditedFile.ChunkState {
  /// The state as it is drawn in a map, for its legend.
  fileprivate var swatch: String {
    let shape =
      switch self {
      case .verified:
        "<rect class=\"right\" x=\"4\" y=\"4\" width=\"11\" height=\"11\" rx=\"1.5\"/>"
      case .notRead:
        "<rect class=\"unread\" x=\"4.5\" y=\"4.5\" width=\"10\" height=\"10\" rx=\"1.5\"/>"
      case .wrong:
        "<rect class=\"wrong\" x=\"5\" y=\"5\" width=\"9\" height=\"9\"/>"
          + "<circle class=\"ring\" cx=\"9.5\" cy=\"9.5\" r=\"8.3\"/>"
      }
    return
      "<svg width=\"19\" height=\"19\" viewBox=\"0 0 19 19\" aria-hidden=\"true\">\(shape)</svg>"
  }
}
