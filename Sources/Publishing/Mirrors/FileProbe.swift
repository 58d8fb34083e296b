import Digests
import Manifests
import ModelFormats
import Transfers
import Verification

/// Checks one file at one mirror: says what to read next, and takes what came.
///
/// A pure state machine. Chunks are asked for one by one, or in spans where all of them are read; the first and the
/// last always by themselves, so that a mirror without ranges shows. Where the size differs, one more look tells a
/// pointer, a page, an unfinished upload and another release apart.
struct FileProbe {
  /// Bytes that are hashed together, and what their digest must be.
  struct Piece: Hashable {
    let range: Range<Int>
    /// Nil where the manifest says nothing of these bytes alone.
    let digest: SHA256Digest?
  }

  private enum Stage: Hashable {
    /// The spans that are still to be read.
    case spans(ArraySlice<Range<Int>>)
    /// From the start to the end in one request, since the mirror knows no ranges.
    case whole
    /// A look at what has another size.
    case otherFile(size: Int)
    case done
  }

  /// The bytes that are asked for in one request at most.
  private static let spanLimit = 64 << 20
  /// The first and last bytes of a file without table, which show size and ranges.
  private static let edge = 64 << 10

  private let file: FileEntry
  private let depth: CheckDepth
  /// Whether a mirror's ranges are tested although a client would ask for none.
  private let testsRanges: Bool
  let pieces: [Piece]
  private var stage: Stage
  private var right = 0
  private var rightBytes = 0
  private var wrong: [MirrorProblem.WrongChunk] = []
  private var asksForRange = false
  private var hasAnswered = false
  /// What the mirror did with requests for ranges; nil if there was none that it answered.
  private(set) var honoursRanges: Bool?
  private(set) var problems: [MirrorProblem] = []

  /// - Parameters:
  ///   - file: The file as the manifest has it.
  ///   - index: Its place in the release.
  ///   - depth: How much is read.
  ///   - testsRanges: Whether a file of one piece is asked for in two ranges.
  init(_ file: FileEntry, index: Int, depth: CheckDepth, testsRanges: Bool = false) {
    self.file = file
    self.depth = depth
    self.testsRanges = testsRanges
    (pieces, stage) = Self.plan(file, index: index, depth: depth)
  }

  /// The bytes that are read if all goes well.
  var plannedBytes: Int {
    switch stage {
    case .spans(let spans):
      spans.reduce(0) { sum, span in pieces[span].reduce(sum) { $0 + $1.range.count } }
    case .whole, .otherFile, .done: 0
    }
  }

  /// The pieces whose bytes were compared and right.
  var rightPieces: Int { right }

  /// Whether no byte could be compared with the manifest, although they came.
  var isUnverified: Bool { problems.isEmpty && file.size > 0 && right == 0 }

  private static func plan(
    _ file: FileEntry,
    index: Int,
    depth: CheckDepth
  ) -> ([Piece], Stage) {
    if file.size == 0 { return ([], .whole) }
    if let chunks = file.chunks?.chunks, chunks.count > 1 {
      let pieces = chunks.map { Piece(range: $0.range, digest: $0.digest) }
      switch depth {
      case .samples(let choice):
        let chosen = choice.indices(of: chunks.count, file: index)
        return (pieces, .spans(chosen.map { $0..<$0 + 1 }[...]))
      case .everything: return (pieces, .spans(spans(of: pieces)[...]))
      }
    }
    let isRead = file.chunks != nil || file.size <= 1 << 20 || depth == .everything
    if isRead { return ([Piece(range: 0..<file.size, digest: file.sha256)], .spans([0..<1])) }
    let edges = [0..<edge, edge..<file.size - edge, file.size - edge..<file.size]
    return (edges.map { Piece(range: $0, digest: nil) }, .spans([0..<1, 2..<3]))
  }

  /// The first piece, the last one, and those between in runs of some size.
  private static func spans(of pieces: [Piece]) -> [Range<Int>] {
    var spans = [0..<1]
    var start = 1
    while start < pieces.count - 1 {
      var end = start + 1
      while end < pieces.count - 1,
        pieces[end].range.upperBound - pieces[start].range.lowerBound <= spanLimit
      { end += 1 }
      spans.append(start..<end)
      start = end
    }
    return spans + [pieces.count - 1..<pieces.count]
  }

  // MARK: What to read

  /// What to read next; nil if all is known.
  mutating func next() -> PieceAsk? {
    switch stage {
    case .done: return nil
    case .whole: return ask(0..<pieces.count)
    case .spans(let spans):
      guard let span = spans.first else {
        finish()
        return nil
      }
      let bytes = file.size
      let isAll = span == 0..<pieces.count
      let limit =
        isAll && testsRanges && bytes > 1 && bytes <= Self.spanLimit ? (bytes + 1) / 2 : .max
      asksForRange = !isAll || limit < bytes
      return ask(span, requestLimit: limit)
    case .otherFile(let size):
      let end = min(size, max(pieces.first?.range.upperBound ?? 0, MirrorReading.beginningLimit))
      let first = pieces.first?.range.upperBound ?? 0
      let ranges = first < end && first > 0 ? [0..<first, first..<end] : [0..<end]
      return PieceAsk(
        end == 0 ? [] : ranges,
        label: file.path.text,
        size: size,
        digest: nil
      )
    }
  }

  private func ask(_ span: Range<Int>, requestLimit: Int = .max) -> PieceAsk {
    PieceAsk(
      pieces[span].map(\.range),
      label: file.path.text,
      size: file.size,
      digest: file.sha256,
      requestLimit: requestLimit
    )
  }

  // MARK: What came

  /// Takes what came of the last ask.
  mutating func took(_ reading: MirrorReading) {
    if reading.isCancelled {
      stage = .done
      return
    }
    if reading.timeToAnswer != nil { hasAnswered = true }
    switch stage {
    case .spans(let spans): took(reading, spans)
    case .whole:
      compare(reading, 0..<pieces.count)
      if let fault = reading.fault { add(fault) } else { finish() }
    case .otherFile(let size): looked(reading, size: size)
    case .done: break
    }
  }

  private mutating func took(_ reading: MirrorReading, _ spans: ArraySlice<Range<Int>>) {
    let span = spans.first ?? 0..<0
    compare(reading, span)
    var ignoresRanges = reading.ignoresRanges
    switch reading.fault {
    case .noRanges: ignoresRanges = true
    case let fault?: return add(fault)
    case nil: break
    }
    if asksForRange { honoursRanges = !ignoresRanges }
    guard ignoresRanges else {
      stage = .spans(spans.dropFirst())
      return
    }
    problems.append(.noRange)
    // Ranges will not do: read from the start what is to be read at all.
    let isWanted = depth == .everything || pieces.count == 1
    let isThere = pieces.count == 1 && right + wrong.count == 1
    if isWanted, !isThere {
      (right, rightBytes, wrong) = (0, 0, [])
      stage = .whole
    } else {
      finish()
    }
  }

  private mutating func compare(_ reading: MirrorReading, _ span: Range<Int>) {
    for (index, found) in zip(span, reading.digests) {
      guard let expected = pieces[index].digest else { continue }
      if found == expected {
        right += 1
        rightBytes += pieces[index].range.count
      } else {
        wrong.append(.init(index: index, range: pieces[index].range, found: found))
      }
    }
  }

  private mutating func add(_ fault: MirrorFault) {
    if case .otherSize(let found, _) = fault {
      stage = .otherFile(size: found)
      return
    }
    let problem = MirrorProblem(fault)
    // A mirror that has answered is there; what fails afterwards is its bytes.
    problems.append(problem.isSilence && hasAnswered ? .cut(fault) : problem)
    finish()
  }

  /// What stands there under another size.
  private mutating func looked(_ reading: MirrorReading, size: Int) {
    switch reading.fault {
    case .otherSize, .noRanges, nil: break
    case let fault?:
      // It told the size, so it is there.
      hasAnswered = true
      return add(fault)
    }
    let first = pieces.first
    let isSameStart =
      first.map {
        $0.digest != nil && $0.range.upperBound <= size
          && reading.digests.first == $0.digest
      } ?? false
    switch ContentSniffer.fault(of: file.path, size: size, start: reading.beginning) {
    case .lfsPointer: problems.append(.lfsPointer)
    case .htmlPage:
      problems.append(.html(String(decoding: reading.beginning.prefix(40), as: UTF8.self)))
    default:
      problems.append(
        isSameStart
          ? .sizeDiffers(found: size, expected: file.size)
          : .stale(.size(found: size, expected: file.size))
      )
    }
    stage = .done
  }

  /// Draws the conclusion from the pieces that were compared.
  private mutating func finish() {
    stage = .done
    guard !wrong.isEmpty else { return }
    if file.chunks == nil, let only = wrong.first {
      problems.append(.wrongFile(found: only.found))
    } else if wrong.count > 1, rightBytes < wrong.reduce(0, { $0 + $1.range.count }) / 10 {
      // Releases have something in common, such as a header, and a liar spares most of a file.
      problems.append(.stale(.samples(wrong, read: right + wrong.count)))
    } else {
      problems.append(.wrongChunks(wrong))
    }
  }
}
