/// What is known of each mirror in this run, whatever the file.
///
/// A value without clock and randomness: `now` is the time since the start of the run, `roll` a random number in
/// `0..<1`.
package struct MirrorStandings: Hashable, Sendable {
  struct Standing: Hashable, Sendable {
    /// Faults in a row; back to 0 with each verified piece.
    var failures = 0
    /// Time-outs in a row.
    var timeOuts = 0
    /// Not to be asked before this time.
    var coolingUntil: Duration = .zero
    /// Not to be asked any more, for this reason.
    var suspended: MirrorFault?
    /// Gives whole files only.
    var ignoresRanges = false
    /// The files for which it was suspended by what is not a mere absence.
    var spoiltFiles = 0
  }

  /// A mirror that spoilt this many files is suspended for all.
  private static let spoiltFileLimit = 3

  private var standings: [Standing]

  package init(count: Int) { standings = Array(repeating: Standing(), count: count) }

  subscript(mirror: Int) -> Standing { standings[mirror] }

  /// Notes that a mirror gave right bytes.
  package mutating func verified(by mirror: Int) {
    standings[mirror].failures = 0
    standings[mirror].timeOuts = 0
  }

  /// Notes a fault; what it means for one file is for ``FileSchedule`` to say.
  package mutating func failed(
    _ mirror: Int,
    _ fault: MirrorFault,
    now: Duration,
    roll: Double
  ) {
    if case .timedOut = fault { standings[mirror].timeOuts += 1 }
    let failures = standings[mirror].failures
    switch fault.reaction {
    case .cool:
      standings[mirror].coolingUntil = now + BackOff.transient(failures: failures, roll: roll)
    case .throttle(let asked):
      if let asked, asked > BackOff.longestPause { standings[mirror].suspended = fault }
      standings[mirror].coolingUntil =
        now + BackOff.throttled(failures: failures, asked: asked, roll: roll)
    case .suspendForRun: standings[mirror].suspended = fault
    case .askWhole: standings[mirror].ignoresRanges = true
    case .suspendForFile, .rejectPiece: break
    }
    // That one file is missing says nothing of the mirror.
    if fault.kind != .missing { standings[mirror].failures += 1 }
  }

  /// Notes that a mirror is of no use for one more file, by a fault that is not a mere absence.
  mutating func spoiltFile(_ mirror: Int, by fault: MirrorFault) {
    standings[mirror].spoiltFiles += 1
    if standings[mirror].spoiltFiles >= Self.spoiltFileLimit {
      standings[mirror].suspended = standings[mirror].suspended ?? fault
    }
  }

  /// Notes that a mirror answers a range with the whole file.
  package mutating func ignoresRanges(_ mirror: Int) { standings[mirror].ignoresRanges = true }
}
