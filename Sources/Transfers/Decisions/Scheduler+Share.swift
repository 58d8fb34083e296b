/// What two transfers can do about the end of a run: one takes the tail of the other, or brings its last piece too.
extension Scheduler {
  /// What takes less than this is left to whoever has it.
  private static let leastGain = 0.05
  /// How much sooner a copy must be there.
  private static let (copyAdvantage, copyGain) = (2.0, 0.2)
  /// The part of a file that may be fetched twice, in a hundred, and the pieces that always may.
  private static let (copiedPercent, copiedPieces) = (1, 2)

  /// Lets a mirror with nothing to do take work from the transfer that would end last.
  mutating func share(now: Duration) {
    while transfers.count < limits.connections {
      let victims = transfers.values.filter { !$0.isStopping && !$0.isCopy }
        .map { (transfer: $0, seconds: secondsLeft(of: $0, now: now)) }
        .filter { $0.seconds > Self.leastGain }
        .sorted { ($1.seconds, $0.transfer.id) < ($0.seconds, $1.transfer.id) }
      guard victims.contains(where: { relieve($0.transfer, $0.seconds, now: now) }) else { return }
    }
  }

  /// Ends a transfer that only takes up a connection while a better mirror has none for work that is there.
  ///
  /// One whose answer has not begun gets more time: its mirror may be fetching the file itself.
  mutating func replaceSilent(now: Duration) {
    guard limits.connections > 1, transfers.count >= limits.connections else { return }
    let silent = transfers.values.filter { transfer in
      let patience: Duration = transfer.clock.stage == .idle ? .seconds(1) : .seconds(5)
      return !transfer.isStopping && now - transfer.lastByte >= patience
        && secondsLeft(of: transfer, now: now) == .infinity
    }.min { ($0.lastByte, $0.id) < ($1.lastByte, $1.id) }
    guard let silent else { return }
    for file in open where files[file].stage == .open && files[file].missingCount > 0 {
      let isBetter = sources(of: file, now: now).contains { source in
        let standing = standings[files[file].sources[source].mirror]
        return files[file].sources[source].mirror != silent.mirror && !standing.isSlow
          && !standing.ignoresRanges && files[file].firstWanted(from: source) != nil
      }
      guard isBetter else { continue }
      standings.markSlow(silent.mirror)
      return stop(silent.id, nil)
    }
  }

  /// How long a transfer will take by what is known; infinite for one that seems to stand still.
  func secondsLeft(of transfer: ScheduledTransfer, now: Duration) -> Double {
    let silence = (now - transfer.lastByte).inSeconds
    guard let rate = transfer.rate(now: now) else {
      let expected = standings[transfer.mirror].rate.value.map { Double(transfer.remaining) / $0 }
      let patience = max(0.5, 2 * (expected ?? 0))
      return silence > patience ? .infinity : 0
    }
    return silence > max(0.5, 16_384 / rate) ? .infinity : Double(transfer.remaining) / rate
  }

  private mutating func relieve(
    _ victim: ScheduledTransfer,
    _ seconds: Double,
    now: Duration
  ) -> Bool {
    let file = victim.file
    guard files[file].stage == .open else { return false }
    for source in fastest(for: victim, now: now) {
      let helper = standings[files[file].sources[source].mirror]
      guard !helper.ignoresRanges, !helper.isSlow else { continue }
      let isSame = files[file].sources[source].mirror == victim.mirror
      if takeTail(of: victim, seconds, for: source, isSame: isSame, now: now) { return true }
      if !isSame, copyLast(of: victim, seconds, for: source, now: now) { return true }
    }
    return false
  }

  /// The sources that can be asked now, the fastest first and the victim's own mirror last.
  private func fastest(for victim: ScheduledTransfer, now: Duration) -> [Int] {
    let file = victim.file
    let found = sources(of: file, now: now).enumerated().map { place, source in
      let mirror = files[file].sources[source].mirror
      let rate = standings[mirror].rate.value ?? 0
      return (source: source, order: (mirror == victim.mirror ? 1 : 0, -rate, place))
    }
    return found.sorted { $0.order < $1.order }.map(\.source)
  }

  /// Cuts a transfer where both would end at the same time; the rest goes to `source`.
  private mutating func takeTail(
    of victim: ScheduledTransfer,
    _ seconds: Double,
    for source: Int,
    isSame: Bool,
    now: Duration
  ) -> Bool {
    let file = victim.file
    let whole = (victim.piece + 1..<max(victim.piece + 1, victim.pieces.upperBound)).filter {
      files[file].pieces[$0] == .flying(victim.id)
    }
    guard hasRoom(for: file), let last = whole.last, whole.count == last - whole[0] + 1,
      !isSame || seconds > 1,
      !whole.contains(where: files[file].sources[source].rejected.contains)
    else { return false }
    let own = victim.rate(now: now)
    let helper = standings[files[file].sources[source].mirror].rate.value ?? own ?? 1
    let share = seconds == .infinity ? 1 : helper / (helper + (own ?? 0))
    let count = min(whole.count, Int((Double(whole.count) * share).rounded(.up)))
    guard count > 0 else { return false }
    let first = last + 1 - count
    for piece in first...last { files[file].set(piece, .missing) }
    transfers[victim.id]?.pieces = victim.pieces.lowerBound..<first
    transfers[victim.id]?.end = files[file].ranges[first].lowerBound
    actions.append(.cut(transfer: victim.id, at: files[file].ranges[first].lowerBound))
    let range = files[file].ranges[first].lowerBound..<files[file].ranges[last].upperBound
    start(SpanAsk(file: file, source: source, pieces: first..<last + 1, bytes: range), now: now)
    return true
  }

  /// Asks another mirror for the piece too that a transfer would bring much later.
  private mutating func copyLast(
    of victim: ScheduledTransfer,
    _ seconds: Double,
    for source: Int,
    now: Duration
  ) -> Bool {
    let (file, piece) = (victim.file, victim.piece)
    guard files[file].ranges.indices.contains(piece),
      files[file].pieces[piece] == .flying(victim.id),
      files[file].ranges.count > 1 || files[file].size <= Self.wholeCopyLimit,
      !files[file].sources[source].rejected.contains(piece)
    else { return false }
    let range = files[file].ranges[piece]
    let rate = standings[files[file].sources[source].mirror].rate.value
    let expected = rate.map { Double(range.count) / $0 } ?? (seconds == .infinity ? 0 : seconds)
    // A copy that does no better is given up for another.
    let copy = files[file].copies[piece].flatMap { transfers[$0] }
    if files[file].copies[piece] != nil {
      guard let copy, copy.piece == piece, copy.source != source, !copy.isStopping else {
        return false
      }
    }
    let seconds = copy.map { min(seconds, secondsLeft(of: $0, now: now)) } ?? seconds
    let isSooner = seconds > Self.copyAdvantage * expected + Self.copyGain
    let budget = max(
      Self.copiedPieces * range.count,
      files[file].size / 100 * Self.copiedPercent
    )
    guard isSooner, files[file].copiedBytes + range.count <= budget,
      copy != nil || hasRoomForCopy(of: file)
    else { return false }
    if let copy { stop(copy.id, nil) }
    start(
      SpanAsk(file: file, source: source, pieces: piece..<piece + 1, bytes: range, isCopy: true),
      now: now
    )
    return true
  }

  /// A file of one piece is asked twice only up to this length: a longer one may have no chunk table.
  static let wholeCopyLimit = 1 << 20
}
