import Digests

/// What is known of one file while it is fetched.
///
/// A piece is what is verified at a time: a chunk, or the whole file where there is no chunk table.
struct ScheduledFile: Sendable {
  enum Stage: Hashable, Sendable { case waiting, opening, open, finishing, done }

  enum Piece: Hashable, Sendable {
    case missing
    /// Bytes of an earlier run or of another version are being hashed.
    case checking
    /// Asked of a mirror by this transfer.
    case flying(Int)
    /// All its bytes came by this transfer and are being hashed.
    case handed(Int)
    /// Right, and on disk.
    case held
  }

  /// What one source did for this file.
  struct Source: Hashable, Sendable {
    let mirror: Int
    /// The pieces whose bytes were wrong.
    var rejected: Set<Int> = []
    var suspended: MirrorFault?
    var lastFault: MirrorFault?
  }

  /// The wrong pieces after which a source is not asked for the file any more.
  static let rejectionLimit = 2

  let size: Int
  var stage = Stage.waiting
  var sources: [Source]
  /// The source that was asked last and did not fail.
  var current: Int?
  private(set) var ranges: [Range<Int>] = []
  private(set) var pieces: [Piece] = []
  private(set) var missingCount = 0
  private(set) var missingBytes = 0
  private(set) var unheldCount = 0
  /// The longest piece: what a transfer needs in memory.
  private(set) var longestPiece = 0
  /// No piece before this one is missing.
  private var cursor = 0
  /// The unfinished pieces whose first bytes are at hand.
  var partials: [Int: Scheduler.Partial] = [:]
  /// The pieces that are to come from one source only.
  var wholeOnly: Set<Int> = []
  /// The transfers that fetch a piece a second time.
  var copies: [Int: Int] = [:]
  /// The bytes that came twice, and for pieces that still may, all of theirs.
  var copiedBytes = 0
  /// What each piece that was asked twice counts in `copiedBytes`.
  private var copyCosts: [Int: Int] = [:]
  private var wrongDigests: [Int: [SHA256Digest: Set<Int>]] = [:]

  init(size: Int, mirrors: [Int]) {
    self.size = size
    sources = mirrors.map { Source(mirror: $0) }
  }

  /// Begins with these pieces, of which some are not missing for sure.
  mutating func open(_ ranges: [Range<Int>], checking: [Int]) {
    self.ranges = ranges
    longestPiece = ranges.lazy.map(\.count).max() ?? 0
    pieces = Array(repeating: .missing, count: ranges.count)
    for piece in checking { pieces[piece] = .checking }
    missingCount = pieces.count { $0 == .missing }
    missingBytes = ranges.indices.reduce(0) {
      pieces[$1] == .missing ? $0 + ranges[$1].count : $0
    }
    unheldCount = pieces.count
    stage = .open
  }

  /// Frees what only an open file needs.
  mutating func close(_ stage: Stage) {
    (ranges, pieces, partials, wholeOnly, copies) = ([], [], [:], [], [:])
    longestPiece = 0
    self.stage = stage
  }

  mutating func set(_ piece: Int, _ state: Piece) {
    let old = pieces[piece]
    guard old != state else { return }
    if old == .missing {
      missingCount -= 1
      missingBytes -= ranges[piece].count
    }
    if state == .missing {
      missingCount += 1
      missingBytes += ranges[piece].count
      cursor = min(cursor, piece)
    }
    if state == .held { unheldCount -= 1 }
    pieces[piece] = state
  }

  /// Whether the piece is missing and may come from this source.
  func isWanted(_ piece: Int, from source: Int) -> Bool {
    pieces[piece] == .missing && !sources[source].rejected.contains(piece)
  }

  /// The lowest missing piece that the source has not given wrong.
  mutating func firstWanted(from source: Int) -> Int? {
    guard missingCount > 0 else { return nil }
    while cursor < pieces.count, pieces[cursor] != .missing { cursor += 1 }
    return (cursor..<pieces.count).first { isWanted($0, from: source) }
  }

  /// The bytes at hand of an unfinished piece that a request to `source` may build on.
  func usableBytes(of piece: Int, from source: Int) -> Int {
    guard let partial = partials[piece] else { return 0 }
    return wholeOnly.contains(piece) && partial.source != source ? 0 : partial.filled
  }

  /// Whether the source gave a piece wrong: what it is asked now is one piece at a time.
  func isDoubtful(_ source: Int) -> Bool { !sources[source].rejected.isEmpty }

  /// Notes that a piece is asked a second time.
  mutating func copies(_ piece: Int, by transfer: Int) {
    copies[piece] = transfer
    copyCosts[piece, default: 0] += ranges[piece].count
    copiedBytes += ranges[piece].count
  }

  /// Notes that a piece that may have been asked twice is there, and how many bytes the losers brought.
  mutating func settleCopies(of piece: Int, wasted: Int?) {
    guard let cost = copyCosts.removeValue(forKey: piece) else { return }
    copiedBytes += min(wasted ?? cost, cost) - cost
  }

  /// Whether several mirrors gave the same wrong bytes for a piece.
  var mirrorsAgreeOnWrongBytes: Bool {
    wrongDigests.values.contains { $0.values.contains { $0.count > 1 } }
  }

  /// Whether this piece was rejected before, from any source.
  func wasRejected(_ piece: Int) -> Bool { sources.contains { $0.rejected.contains(piece) } }

  /// Notes a piece whose bytes, all of them from `source`, are wrong.
  mutating func reject(_ piece: Int, from source: Int, digest: SHA256Digest) {
    sources[source].rejected.insert(piece)
    wrongDigests[piece, default: [:]][digest, default: []].insert(sources[source].mirror)
  }

  /// Notes that a request to `source` failed; true if the source is of no use for the file from now on.
  mutating func failed(_ source: Int, _ fault: MirrorFault) -> Bool {
    sources[source].lastFault = fault
    if current == source { current = nil }
    let isSpoilt =
      fault.reaction == .rejectPiece
      && (sources[source].rejected.count >= Self.rejectionLimit || pieces.count == 1)
    guard fault.reaction == .suspendForFile || isSpoilt, sources[source].suspended == nil else {
      return false
    }
    sources[source].suspended = fault
    return true
  }
}
