extension Scheduler {
  /// The most bytes to ask for at a time: so many are at stake when a request fails late.
  static let spanLimit = 64 << 20
  /// What a mirror of unknown rate is asked for, after the first piece came right.
  private static let firstSpan = 4 << 20
  /// How long a span should take.
  private static let spanSeconds = 3.0
  /// The mirrors that are tried at a time.
  private static let trialLimit = 3

  /// Gives work to every connection that may have some.
  mutating func assign(now: Duration) {
    wait(until: nil)
    var isIdle = false
    while transfers.count < limits.connections, transfers.isEmpty || backlog < Self.backlogLimit {
      guard startNext(now: now) else {
        isIdle = true
        break
      }
    }
    if !isIdle { replaceSilent(now: now) }
    if isIdle, limits.connections > 1, nextFile == files.count { share(now: now) }
    if transfers.isEmpty { wait(until: nextChance(now: now)) }
  }

  private mutating func startNext(now: Duration) -> Bool {
    for file in open where files[file].stage == .open && files[file].missingCount > 0 {
      for source in sources(of: file, now: now) {
        guard let ask = span(of: file, from: source), hasRoom(for: file) else { continue }
        start(ask, now: now)
        return true
      }
    }
    return false
  }

  /// Whether memory allows one more piece of this file to arrive, and one to wait for its hash.
  func hasRoom(for file: Int) -> Bool {
    let longest = files[file].longestPiece
    let spare = transfers.values.reduce(longest) { max($0, $1.reserved) }
    return transfers.isEmpty || reservedBytes + longest + spare <= limits.memory
  }

  /// Whether memory allows a copy of a piece: it may wait for others to be hashed, which then have come.
  func hasRoomForCopy(of file: Int) -> Bool {
    reservedBytes + files[file].longestPiece <= limits.memory
  }

  /// What transfers and unfinished pieces need in memory.
  private var reservedBytes: Int {
    let parked = open.reduce(0) { $0 + files[$1].partials.count * files[$1].longestPiece }
    return transfers.values.reduce(parked) { $0 + $1.reserved }
  }

  /// The sources that can be asked now, the best first.
  ///
  /// When nothing was gained for the time to give up, a mirror that has failed is not asked again: or mirrors that take
  /// turns at failing would keep the run from its end.
  func sources(of file: Int, now: Duration) -> [Int] {
    let isLate = now >= lastGain + clocks.giveUp
    let free = files[file].sources.indices.filter { source in
      let mirror = files[file].sources[source].mirror
      return isCandidate(source, of: file) && standings.isFree(mirror, now: now)
        && !(isLate && standings[mirror].lastFault != nil)
    }
    guard limits.connections > 1 else {
      return free.sorted { order($0, of: file) < order($1, of: file) }
    }
    let hasTrials = standings.trials(now: now) < Self.trialLimit
    let isInPieces = isInPieces(file)
    return free.filter { source in
      let standing = standings[files[file].sources[source].mirror]
      guard standing.isTested else { return hasTrials && standing.mayBeTried(isProbe: isInPieces) }
      return !files[file].isDoubtful(source) || !transfers.values.contains { $0.isOf(source, file) }
    }.sorted { rank($0, of: file) < rank($1, of: file) }
  }

  private func isInPieces(_ file: Int) -> Bool { files[file].pieces.count > 1 }

  /// With one connection: stays with the source that works, else takes the one with the fewest faults.
  private func order(_ source: Int, of file: Int) -> (Int, Int, Int, Int) {
    let standing = standings[files[file].sources[source].mirror]
    let isCurrent = source == files[file].current
    return (standing.ignoresRanges ? 1 : 0, isCurrent ? 0 : 1, standing.failures, source)
  }

  /// With several: spreads over all mirrors that are not slow before any gets a second connection.
  private func rank(_ source: Int, of file: Int) -> (Int, Int, Int, Int) {
    let standing = standings[files[file].sources[source].mirror]
    let isLast = (standing.ignoresRanges ? 2 : 0) + (standing.isSlow ? 1 : 0)
    return (isLast, standing.running, standing.failures, source)
  }

  /// Whether the source has not shown that it is of no use for the file.
  func isCandidate(_ source: Int, of file: Int) -> Bool {
    let source = files[file].sources[source]
    return source.suspended == nil && standings[source.mirror].suspended == nil
  }

  /// The pieces and bytes to ask of the source next.
  private mutating func span(
    of file: Int,
    from source: Int
  ) -> SpanAsk? {
    guard let first = files[file].firstWanted(from: source) else { return nil }
    let count = files[file].pieces.count
    if standings[files[file].sources[source].mirror].ignoresRanges {
      let isNeeded = count == 1 || !isServedElsewhere(file, besides: source)
      let isAlone = !transfers.values.contains { $0.file == file }
      guard isNeeded, isAlone else { return nil }
      return SpanAsk(file: file, source: source, pieces: 0..<count, bytes: 0..<files[file].size)
    }
    let ranges = files[file].ranges
    let start = ranges[first].lowerBound + files[file].usableBytes(of: first, from: source)
    let limit = spanLength(file, source)
    var end = first + 1
    while end < count, ranges[end].upperBound - start <= limit,
      files[file].isWanted(end, from: source), files[file].partials[end] == nil
    { end += 1 }
    end = aligned(end, after: first, in: ranges)
    let bytes = start..<ranges[end - 1].upperBound
    return SpanAsk(file: file, source: source, pieces: first..<end, bytes: bytes)
  }

  /// An earlier end on a multiple of 4 MiB, which caches that keep slices serve best.
  private func aligned(_ end: Int, after first: Int, in ranges: [Range<Int>]) -> Int {
    let slice = 4 << 20
    guard end < ranges.count, ranges[end - 1].upperBound - ranges[first].lowerBound > slice else {
      return end
    }
    let lowest = max(first + 1, end - slice / max(1, ranges[end - 1].count))
    return (lowest...end).last { ranges[$0 - 1].upperBound % slice == 0 } ?? end
  }

  /// What the mirror serves in a few seconds, but no more than its share of what is left.
  private func spanLength(_ file: Int, _ source: Int) -> Int {
    guard limits.connections > 1 else { return Self.spanLimit }
    let standing = standings[files[file].sources[source].mirror]
    if standing.isSlow || !standing.isTested || files[file].isDoubtful(source) { return 0 }
    let serves = standing.rate.value.map { $0 * Self.spanSeconds } ?? Double(Self.firstSpan)
    let share = unclaimedBytes / (2 * limits.connections)
    return max(min(Int(min(serves, 1e12)), Self.spanLimit, max(share, 1 << 20)), 1)
  }

  mutating func start(_ ask: SpanAsk, now: Duration) {
    let (file, source, pieces) = (ask.file, ask.source, ask.pieces)
    let order = Order(
      transfer: newTransfer(),
      file: file,
      source: source,
      range: ask.bytes,
      isCopy: ask.isCopy
    )
    let mirror = files[file].sources[source].mirror
    let clock = StageClock(clocks: clocks(for: source, of: file, now: now), now: now)
    transfers[order.transfer] = ScheduledTransfer(
      order,
      mirror: mirror,
      pieces: pieces,
      clock: clock,
      reserved: files[file].longestPiece,
      now: now
    )
    if ask.isCopy {
      files[file].copies(pieces.lowerBound, by: order.transfer)
    } else {
      take(ask, for: order.transfer)
    }
    files[file].current = source
    standings.started(mirror, isProbe: isInPieces(file), now: now)
    actions.append(.start(order))
  }

  private mutating func take(_ ask: SpanAsk, for id: Int) {
    let file = ask.file
    for piece in ask.pieces where files[file].isWanted(piece, from: ask.source) {
      if files[file].ranges[piece].lowerBound < ask.bytes.lowerBound {
        // The transfer goes on with the bytes at hand.
        files[file].partials[piece] = nil
        files[file].set(piece, .flying(id))
      } else {
        claim(piece, of: file, for: id)
      }
    }
  }

  /// The clocks for a request to `source` that starts now.
  ///
  /// A mirror that no other can stand in for gets twice the time after each time-out, but never so much that
  /// the run would outlast its limit for giving up.
  private func clocks(for source: Int, of file: Int, now: Duration) -> FetchClocks {
    let timeOuts = standings[files[file].sources[source].mirror].timeOuts
    guard timeOuts > 0, !isReplaceable(source, of: file, now: now) else { return clocks }
    let longest = min(clocks.longest, lastGain + clocks.giveUp - now)
    return clocks.grown(by: 1 << min(timeOuts, 16), longest: longest)
  }

  /// Whether another source could be asked now that did not time out lately.
  private func isReplaceable(_ source: Int, of file: Int, now: Duration) -> Bool {
    files[file].sources.indices.contains { other in
      let standing = standings[files[file].sources[other].mirror]
      return other != source && isCandidate(other, of: file) && standing.coolingUntil <= now
        && standing.timeOuts == 0
    }
  }
}
