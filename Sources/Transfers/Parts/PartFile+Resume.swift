import Digests
import SystemFiles

extension PartFile {
  /// The chunks of `table` that lie right in the part, found by hashing what may be there.
  ///
  /// Looks at what the journal claims; without a journal, at the chunks that were written as a whole.
  func heldChunks(
    of table: ChunkTable,
    report: @Sendable (_ hashed: Int, _ of: Int) -> Bool
  ) throws(DigestError) -> [Int] {
    guard isResumed else { return [] }
    let runs = try DigestError.catching { () throws(SystemError) in try candidates(of: table) }
    let total = runs.joined().reduce(0) { $0 + table.chunks[$1].length }
    let done = ByteCounter()
    let check = ChunkCheck(against: table)
    var held: [Int] = []
    for run in runs {
      let wrong = try check.wrongChunks(in: file, among: run) { report(done.add($0), total) }
      held += Set(run).subtracting(wrong).sorted()
    }
    return held
  }

  private func candidates(of table: ChunkTable) throws(SystemError) -> [Range<Int>] {
    if let claims = try claims() {
      return runs(Set(claims).filter(table.chunks.indices.contains).sorted())
    }
    let written = try file.writtenRanges()
    var next = written.startIndex
    return runs(
      table.chunks.indices.filter { index in
        let range = table.chunks[index].range
        while next < written.endIndex, written[next].upperBound < range.upperBound { next += 1 }
        return next < written.endIndex && written[next].lowerBound <= range.lowerBound
      }
    )
  }

  private func runs(_ indices: [Int]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in indices {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }

  /// How many bytes from the start of a file without chunk table may be there.
  ///
  /// What the journal claims last; without a journal all of it if all was written, else nothing.
  func heldPrefix(size: Int) throws(SystemError) -> Int {
    guard isResumed else { return 0 }
    if let claims = try claims() { return min(claims.last ?? 0, size) }
    return try file.writtenRanges() == [0..<size] ? size : 0
  }
}

extension DigestError {
  fileprivate static func catching<Value>(
    _ body: () throws(SystemError) -> Value
  ) throws(DigestError) -> Value {
    do {
      return try body()
    } catch {
      throw .unreadable(error)
    }
  }
}
