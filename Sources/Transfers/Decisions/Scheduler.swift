package import Digests

/// Decides which bytes to ask of which mirror, when to stop a request, and when to give up, for all files of a run.
///
///     events in            opened, received, ended, verified, rejected …
///     actions out          open, start, cut, stop, drop, finish, end
///
/// A value without I/O: it is told the time and draws its random numbers from a seed, so that a run can be
/// simulated. It holds to this: no piece is asked twice at a time but by one copy near the end of the run; what
/// is verified stays so; a mirror is never asked again for a piece that it gave wrong; one honest mirror that
/// answers is enough; without one the run ends in bounded time.
package struct Scheduler: Sendable {
  /// What bounds a run.
  package struct Limits: Hashable, Sendable {
    /// The requests at a time.
    package var connections = 6
    /// The bytes of pieces in memory, one piece always being allowed.
    package var memory = 34 << 20
    /// The files that are open at a time.
    package var openFiles = 32

    package init() {}
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

  /// A request to make.
  package struct Order: Hashable, Sendable {
    package let transfer: Int
    package let file: Int
    package let source: Int
    package let range: Range<Int>
    /// Whether another transfer fetches the same piece.
    package let isCopy: Bool
  }

  package enum End: Hashable, Sendable {
    case complete
    /// The action `stop` or `cut` ended it.
    case stopped
    case fault(MirrorFault)
  }

  package enum Event: Sendable {
    /// The file is open; pieces in `checking` are being hashed, and a first part of one may be at hand.
    case opened(file: Int, pieces: [Range<Int>], checking: [Int], partial: Partial?)
    case checked(file: Int, piece: Int, isRight: Bool)
    case connected(transfer: Int)
    /// The mirror led elsewhere, and the request begins anew there.
    case redirected(transfer: Int)
    /// The answer was accepted: it brings the bytes of this range.
    case answered(transfer: Int, Range<Int>)
    case received(transfer: Int, count: Int)
    /// The request is over; `partial` is the unfinished piece that is kept.
    case ended(transfer: Int, End, partial: Partial?)
    case verified(file: Int, piece: Int)
    /// All bytes of a piece came and are wrong; `source` is nil if they are of several.
    case rejected(file: Int, piece: Int, transfer: Int, source: Int?, digest: SHA256Digest)
    /// Bytes came that count although they are not verified yet.
    case gained
    case finished(file: Int)
    /// So many pieces wait to be hashed and written.
    case backlog(Int)
  }

  package enum Action: Hashable, Sendable {
    case open(file: Int)
    case start(Order)
    /// The transfer is to end at this byte.
    case cut(transfer: Int, at: Int)
    /// The transfer is to end now: for this fault, or since it is of no more use.
    case stop(transfer: Int, MirrorFault?)
    /// The bytes at hand of an unfinished piece are of no more use.
    case drop(file: Int, piece: Int)
    /// All pieces of the file are held.
    case finish(file: Int)
    /// All files are finished, or this one cannot be had.
    case complete
    case giveUp(file: Int, FetchError.Kind)
  }

  /// The pieces that may wait to be hashed before no more are asked for.
  static let backlogLimit = 3

  let limits: Limits
  let clocks: FetchClocks
  var standings: MirrorStandings
  var files: [ScheduledFile]
  /// The files that are open, in order.
  var open: [Int] = []
  var transfers: [Int: ScheduledTransfer] = [:]
  var jitter: Jitter
  var actions: [Action] = []
  var lastGain: Duration
  var backlog = 0
  private(set) var nextFile = 0
  private var waitingBytes: Int
  private var unfinished: Int
  private var lastTransfer = 0
  private var isOver = false
  /// The file that is to be looked at for whether it can be had at all.
  var doubtful: Set<Int> = []
  /// Until when no mirror can be asked; nil while one is, or may be.
  package private(set) var waitingUntil: Duration?

  /// Plans the files of a run.
  ///
  /// - Parameters:
  ///   - files: The size of each file and the numbers of the mirrors that may have it, in the order of preference.
  ///   - origins: The number of the origin of each mirror.
  ///   - limits: What bounds the run.
  ///   - clocks: How long to wait for what.
  ///   - seed: What fixes the random numbers.
  ///   - now: The time, which never goes back.
  package init(
    files: [(size: Int, mirrors: [Int])],
    origins: [Int],
    limits: Limits,
    clocks: FetchClocks,
    seed: UInt64,
    now: Duration
  ) {
    self.limits = limits
    self.clocks = clocks
    self.files = files.map { ScheduledFile(size: $0.size, mirrors: $0.mirrors) }
    standings = MirrorStandings(origins: origins)
    jitter = Jitter(seed: seed)
    lastGain = now
    unfinished = files.count
    waitingBytes = files.reduce(0) { $0 + $1.size }
  }

  /// Takes what happened and says what to do.
  package mutating func step(_ events: [Event], now: Duration) -> [Action] {
    for event in events { note(event, now: now) }
    guard !isOver else { return taken() }
    watchClocks(now: now)
    finishFiles()
    openFiles()
    if unfinished == 0 {
      isOver = true
      actions.append(.complete)
      return taken()
    }
    assign(now: now)
    if let (file, kind) = hopelessFile(now: now) {
      isOver = true
      actions.append(.giveUp(file: file, kind))
    }
    return taken()
  }

  private mutating func taken() -> [Action] {
    defer { actions.removeAll(keepingCapacity: true) }
    return actions
  }

  /// The most requests at a time.
  package var limitOfConnections: Int { limits.connections }

  /// The first file that is open, for messages.
  package var firstOpen: Int? { open.first }

  /// Whether several mirrors gave the same wrong bytes for a piece.
  package var mirrorsAgreeOnWrongBytes: Bool { files.contains { $0.mirrorsAgreeOnWrongBytes } }

  /// Whether the transfer is the one that brings this piece.
  package func brings(_ piece: Int, of file: Int, by transfer: Int) -> Bool {
    guard files[file].pieces.indices.contains(piece) else { return false }
    return files[file].pieces[piece] == .flying(transfer) || files[file].copies[piece] == transfer
  }

  /// Whether the source is of no more use for the file.
  package func isSuspended(_ source: Int, for file: Int) -> Bool { !isCandidate(source, of: file) }

  /// Whether a piece was given wrong before.
  package func wasRejected(_ piece: Int, of file: Int) -> Bool { files[file].wasRejected(piece) }

  /// The bytes that nobody has been asked for.
  var unclaimedBytes: Int { open.reduce(waitingBytes) { $0 + files[$1].missingBytes } }

  /// A number that no transfer had.
  mutating func newTransfer() -> Int {
    lastTransfer += 1
    return lastTransfer
  }
}

// Files come and go.
extension Scheduler {
  private mutating func openFiles() {
    while nextFile < files.count, open.count < limits.openFiles {
      files[nextFile].stage = .opening
      waitingBytes -= files[nextFile].size
      open.append(nextFile)
      actions.append(.open(file: nextFile))
      nextFile += 1
    }
  }

  private mutating func finishFiles() {
    for file in open where files[file].stage == .open && files[file].unheldCount == 0 {
      for transfer in transfers.values where transfer.file == file { stop(transfer.id, nil) }
      files[file].close(.finishing)
      actions.append(.finish(file: file))
    }
    open.removeAll { files[$0].stage == .finishing || files[$0].stage == .done }
  }

  mutating func finished(_ file: Int) {
    files[file].stage = .done
    unfinished -= 1
  }

  /// When to look again, if nothing happens before.
  package mutating func deadline(now: Duration) -> Duration {
    let regular = now + .milliseconds(transfers.isEmpty ? 250 : 100)
    return min(waitingUntil ?? regular, regular)
  }

  mutating func wait(until deadline: Duration?) { waitingUntil = deadline }
}
