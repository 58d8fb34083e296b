package import Digests

/// Decides, for one file, which bytes to ask of which mirror next, and when to stop.
///
/// A piece is what is verified at a time: a chunk, or the whole file where there is no chunk table. A value
/// without I/O: the engine tells it what happened and asks what to do. One request at a time is made of it now.
package struct FileSchedule: Sendable {
  /// What to do next.
  package enum Step: Hashable, Sendable {
    /// Ask the source for these bytes; `start` and `end` are ends of pieces, or where an unfinished one stands.
    case ask(source: Int, Range<Int>)
    /// Ask nobody before this time.
    case wait(until: Duration)
    /// All pieces are verified.
    case finish
    /// No mirror can give what is missing, or none did for too long.
    case giveUp
  }

  /// An unfinished piece whose first bytes are at hand.
  package struct Partial: Hashable, Sendable {
    package let piece: Int
    package let filled: Int
    /// The source of all these bytes; nil if they are of several, or of an earlier run.
    package let source: Int?

    package init(piece: Int, filled: Int, source: Int?) {
      self.piece = piece
      self.filled = filled
      self.source = source
    }
  }

  /// What one source did for this file.
  struct Source: Hashable, Sendable {
    let mirror: Int
    /// The pieces whose bytes were wrong.
    var rejected: Set<Int> = []
    var suspended: MirrorFault?
    var lastFault: MirrorFault?
  }

  /// The most bytes to ask for at a time: so many are at stake when a request fails late.
  package static let spanLimit = 64 << 20
  /// The wrong chunks after which a source is not asked for the file any more.
  package static let rejectionLimit = 2

  let clocks: FetchClocks
  let pieces: [Range<Int>]
  private(set) var isHeld: [Bool]
  private(set) var missingCount: Int
  private(set) var wholeOnly: Set<Int> = []
  private var wrongDigests: [Int: [SHA256Digest: Set<Int>]] = [:]
  private(set) var sources: [Source]
  var current: Int?
  private(set) var lastGain: Duration

  /// The unfinished piece, kept up to date by the engine.
  package var partial: Partial?

  /// Plans the pieces of a file that the mirrors `mirrors` may have, in the order of preference.
  package init(pieces: [Range<Int>], mirrors: [Int], clocks: FetchClocks, now: Duration) {
    self.pieces = pieces
    self.clocks = clocks
    isHeld = Array(repeating: false, count: pieces.count)
    missingCount = pieces.count
    sources = mirrors.map { Source(mirror: $0) }
    lastGain = now
  }

  var size: Int { pieces.last?.upperBound ?? 0 }

  /// Whether the piece is verified and on disk.
  package func isHeld(_ piece: Int) -> Bool { isHeld[piece] }

  /// Whether several mirrors gave the same wrong bytes for a piece.
  package var mirrorsAgreeOnWrongBytes: Bool {
    wrongDigests.values.contains { $0.values.contains { $0.count > 1 } }
  }
}

// What happened.
extension FileSchedule {
  /// Notes a piece that is right on disk, from now or from an earlier run.
  package mutating func hold(_ piece: Int, now: Duration) {
    guard !isHeld[piece] else { return }
    isHeld[piece] = true
    missingCount -= 1
    if partial?.piece == piece { partial = nil }
    gained(at: now)
  }

  /// Notes bytes that count as a gain although they are not verified yet.
  package mutating func gained(at now: Duration) { lastGain = now }

  /// Notes a piece whose bytes, all of them from `source`, are wrong.
  package mutating func reject(_ piece: Int, from source: Int, digest: SHA256Digest) {
    partial = nil
    sources[source].rejected.insert(piece)
    wrongDigests[piece, default: [:]][digest, default: []].insert(sources[source].mirror)
  }

  /// Notes a piece made of several sources' bytes that is wrong: nobody is to blame, it is fetched whole.
  package mutating func distrust(_ piece: Int) {
    partial = nil
    wholeOnly.insert(piece)
  }

  /// Whether this piece was rejected before, from any source.
  package func wasRejected(_ piece: Int) -> Bool {
    sources.contains { $0.rejected.contains(piece) }
  }

  /// Notes that a request failed.
  package mutating func failed(
    _ source: Int,
    _ fault: MirrorFault,
    standings: inout MirrorStandings
  ) {
    sources[source].lastFault = fault
    if current == source { current = nil }
    let isRejected =
      fault.reaction == .rejectPiece
      && (sources[source].rejected.count >= Self.rejectionLimit || pieces.count == 1)
    if fault.reaction == .suspendForFile || isRejected {
      sources[source].suspended = fault
      if fault.kind != .missing { standings.spoiltFile(sources[source].mirror, by: fault) }
    }
  }
}
