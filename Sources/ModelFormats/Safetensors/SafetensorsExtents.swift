/// Checks that the data of all tensors follows each other and fills the file.
struct SafetensorsExtents {
  private struct Extent {
    let begin, end: UInt64
  }

  private var extents: [Extent] = []

  mutating func add(_ begin: UInt64, _ end: UInt64) {
    extents.append(Extent(begin: begin, end: end))
  }

  /// Refuses holes, overlaps, and data beyond or before the end of the file; data begins at `start`.
  mutating func check(
    from start: Int,
    _ reader: borrowing FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    extents.sort { ($0.begin, $0.end) < ($1.begin, $1.end) }
    var next: UInt64 = 0
    for extent in extents {
      guard extent.begin == next else {
        throw .structure(
          .badOffset,
          at: 8,
          "the data of the tensors",
          expected: "a tensor that begins at \(next)",
          found: "one at \(extent.begin)"
        )
      }
      next = extent.end
    }
    let (needed, overflowed) = UInt64(start).addingReportingOverflow(next)
    guard !overflowed, needed <= UInt64(reader.size) else {
      throw reader.truncated(needed: overflowed ? .max : needed)
    }
    guard needed == UInt64(reader.size) else {
      throw .structure(
        .trailingBytes,
        at: Int(needed),
        "the end of the data",
        expected: "the end of the file",
        found: "\(reader.size - Int(needed)) bytes more"
      )
    }
    for extent in extents where extent.end > extent.begin {
      report.edges.append(start + Int(extent.begin))
    }
  }
}
