/// What is known of each mirror in this run, whatever the file.
///
/// A value without clock and randomness: `now` is the time since the start of the run, `roll` a random number in
/// `0..<1`. Connections and throttling belong to an origin, all else to a mirror.
package struct MirrorStandings: Hashable, Sendable {
  struct Standing: Hashable, Sendable {
    let origin: Int
    /// Faults in a row; back to 0 with each verified piece.
    var failures = 0
    /// Time-outs in a row.
    var timeOuts = 0
    /// Not to be asked before this time.
    var coolingUntil: Duration = .zero
    /// Not to be asked any more, for this reason.
    var suspended: MirrorFault?
    var lastFault: MirrorFault?
    /// Gives whole files only.
    var ignoresRanges = false
    /// The files for which it was suspended by what is not a mere absence.
    var spoiltFiles = 0
    /// Far slower than the others; leaves the state with fair spans.
    var isSlow = false
    /// The spans at a fair rate since it was slow.
    var fairSpans = 0
    /// Whether something was asked of it, and whether it is known what came of that.
    var isAsked = false
    /// Whether a piece of a file in pieces was asked of it, of which it is soon known whether it is right.
    var isProbed = false
    /// When it was asked first.
    var askedAt: Duration = .zero
    var isTested = false
    var rate = ByteRate()
    /// The requests that are running.
    var running = 0
  }

  struct Origin: Hashable, Sendable {
    var running = 0
    var limit = MirrorStandings.connectionsAtFirst
    /// Spans that came as they were asked, since the limit last changed.
    var cleanSpans = 0
  }

  /// A mirror that spoilt this many files is suspended for all.
  private static let spoiltFileLimit = 3
  /// The connections to an origin, at first and at most.
  static let connectionsAtFirst = 2
  static let connectionLimit = 4
  /// The spans after which an origin gets one connection more.
  private static let spansToRaise = 4
  /// The fair spans after which a slow mirror is a good one again.
  private static let spansToRecover = 2

  private var standings: [Standing]
  private(set) var origins: [Origin]

  /// Starts with mirrors of which each has the origin of this number.
  package init(origins numbers: [Int]) {
    standings = numbers.map { Standing(origin: $0) }
    origins = Array(repeating: Origin(), count: (numbers.max() ?? -1) + 1)
  }

  subscript(mirror: Int) -> Standing { standings[mirror] }

  var indices: Range<Int> { standings.indices }

  /// Whether a request may be sent to the mirror now.
  func isFree(_ mirror: Int, now: Duration) -> Bool {
    let standing = standings[mirror]
    let origin = origins[standing.origin]
    return standing.suspended == nil && standing.coolingUntil <= now
      && origin.running < origin.limit
  }

  /// The mirrors that were asked lately and have not shown yet what they can do.
  ///
  /// One that takes its time does not keep others from being tried.
  func trials(now: Duration) -> Int {
    standings.count { $0.isOnTrial && now - $0.askedAt < Self.trialTime }
  }

  private static let trialTime: Duration = .seconds(1)
}

// What happened.
extension MirrorStandings {
  mutating func started(_ mirror: Int, isProbe: Bool, now: Duration) {
    if !standings[mirror].isAsked { standings[mirror].askedAt = now }
    standings[mirror].isAsked = true
    if isProbe { standings[mirror].isProbed = true }
    standings[mirror].running += 1
    origins[standings[mirror].origin].running += 1
  }

  /// Notes that it is known what a mirror can do, as well as it will be.
  mutating func tested(_ mirror: Int) { standings[mirror].isTested = true }

  mutating func ended(_ mirror: Int) {
    standings[mirror].running -= 1
    origins[standings[mirror].origin].running -= 1
  }

  /// Notes that so many bytes came over one connection in a time.
  mutating func measured(_ mirror: Int, _ count: Int, in time: Duration) {
    standings[mirror].rate.add(count, in: time)
  }

  /// Notes that a mirror gave right bytes.
  mutating func verified(by mirror: Int) {
    standings[mirror].failures = 0
    standings[mirror].timeOuts = 0
    standings[mirror].isTested = true
  }

  /// Notes that a span came as it was asked.
  mutating func servedSpan(_ mirror: Int, isFair: Bool) {
    let origin = standings[mirror].origin
    origins[origin].cleanSpans += 1
    if origins[origin].cleanSpans >= Self.spansToRaise {
      origins[origin].cleanSpans = 0
      origins[origin].limit = min(origins[origin].limit + 1, Self.connectionLimit)
    }
    guard standings[mirror].isSlow else { return }
    standings[mirror].fairSpans = isFair ? standings[mirror].fairSpans + 1 : 0
    if standings[mirror].fairSpans >= Self.spansToRecover { standings[mirror].isSlow = false }
  }

  mutating func markSlow(_ mirror: Int) {
    standings[mirror].isSlow = true
    standings[mirror].fairSpans = 0
  }

  /// Notes a fault; what it means for one file is for the file to say.
  mutating func failed(_ mirror: Int, _ fault: MirrorFault, now: Duration, roll: Double) {
    standings[mirror].lastFault = fault
    standings[mirror].isTested = true
    if case .timedOut = fault { standings[mirror].timeOuts += 1 }
    let failures = standings[mirror].failures
    switch fault.reaction {
    case .cool:
      standings[mirror].coolingUntil = now + BackOff.transient(failures: failures, roll: roll)
      if fault.isOverload { lower(mirror) }
    case .throttle(let asked):
      if let asked, asked > BackOff.longestPause { standings[mirror].suspended = fault }
      let pause = BackOff.throttled(failures: failures, asked: asked, roll: roll)
      for other in indices where standings[other].origin == standings[mirror].origin {
        standings[other].coolingUntil = max(standings[other].coolingUntil, now + pause)
      }
      lower(mirror)
    case .suspendForRun: standings[mirror].suspended = fault
    case .askWhole: standings[mirror].ignoresRanges = true
    case .suspendForFile, .rejectPiece: break
    }
    // That one file is missing, or that there is no network, says nothing of the mirror.
    if fault.kind != .missing { standings[mirror].failures += 1 }
  }

  /// Leaves an origin as many connections as it bore; the one that failed is still counted.
  private mutating func lower(_ mirror: Int) {
    let origin = standings[mirror].origin
    origins[origin].limit = max(1, min(origins[origin].limit, origins[origin].running - 1))
    origins[origin].cleanSpans = 0
  }

  /// Notes that a mirror is of no use for one more file, by a fault that is not a mere absence.
  mutating func spoiltFile(_ mirror: Int, by fault: MirrorFault) {
    standings[mirror].spoiltFiles += 1
    if standings[mirror].spoiltFiles >= Self.spoiltFileLimit {
      standings[mirror].suspended = standings[mirror].suspended ?? fault
    }
  }

  /// Notes that a mirror answers a range with the whole file.
  mutating func ignoresRanges(_ mirror: Int) { standings[mirror].ignoresRanges = true }
}

extension MirrorStandings.Standing {
  /// Whether the first that was asked of it is not verified yet.
  var isOnTrial: Bool { isAsked && !isTested }

  /// Whether a mirror that was not tested yet may be asked for something, to know it by that.
  ///
  /// It is asked once; but a file in one piece tells only at its end, and must not hold up those in pieces until then.
  func mayBeTried(isProbe: Bool) -> Bool { isProbe ? !isProbed : !isAsked }
}

extension MirrorFault {
  /// Whether the cause may be more connections than the mirror bears.
  fileprivate var isOverload: Bool {
    switch self {
    case .refusedConnection, .timedOut: true
    default: false
    }
  }
}
