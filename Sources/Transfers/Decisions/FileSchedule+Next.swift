extension FileSchedule {
  /// Decides what to do now.
  package mutating func next(now: Duration, standings: MirrorStandings) -> Step {
    guard missingCount > 0 else { return .finish }
    let candidates = sources.indices.filter { isCandidate($0, standings) }
    guard !candidates.isEmpty, !isHopeless(among: candidates) else { return .giveUp }
    let ready = candidates.filter { isReady($0, now: now, standings) }
    guard let source = choose(among: ready, standings) else {
      let deadline = lastGain + clocks.giveUp
      guard now < deadline else { return .giveUp }
      let pause = candidates.map { standings[sources[$0].mirror].coolingUntil }
        .filter { $0 > now }.min()
      return .wait(until: min(pause ?? deadline, deadline))
    }
    current = source
    guard let range = span(of: source, standings) else { return .giveUp }
    return .ask(source: source, range)
  }

  /// The clocks for a request to `source` that starts now.
  ///
  /// A mirror that no other can stand in for gets twice the time after each time-out, but never so much that
  /// the run would outlast its limit for giving up.
  package func clocks(for source: Int, now: Duration, standings: MirrorStandings) -> FetchClocks {
    let timeOuts = standings[sources[source].mirror].timeOuts
    guard timeOuts > 0, !isReplaceable(source, now: now, standings) else { return clocks }
    let longest = min(clocks.longest, lastGain + clocks.giveUp - now)
    return clocks.grown(by: 1 << min(timeOuts, 16), longest: longest)
  }

  /// Whether another source could be asked now that did not time out lately.
  private func isReplaceable(_ source: Int, now: Duration, _ standings: MirrorStandings) -> Bool {
    sources.indices.contains { other in
      other != source && isCandidate(other, standings) && isReady(other, now: now, standings)
        && standings[sources[other].mirror].timeOuts == 0
    }
  }

  private func isCandidate(_ source: Int, _ standings: MirrorStandings) -> Bool {
    sources[source].suspended == nil && standings[sources[source].mirror].suspended == nil
  }

  private func isReady(_ source: Int, now: Duration, _ standings: MirrorStandings) -> Bool {
    standings[sources[source].mirror].coolingUntil <= now && firstPiece(for: source) != nil
  }

  /// Whether some piece is missing that each of these sources gave wrong.
  private func isHopeless(among candidates: [Int]) -> Bool {
    var common = sources[candidates[0]].rejected
    for source in candidates.dropFirst() { common.formIntersection(sources[source].rejected) }
    return common.contains { !isHeld[$0] }
  }

  /// Stays with the source that works; else the one with the fewest faults, else the first.
  private func choose(among ready: [Int], _ standings: MirrorStandings) -> Int? {
    let rank = { (source: Int) -> (Int, Int, Int, Int) in
      let standing = standings[sources[source].mirror]
      let isCurrent = source == current
      return (standing.ignoresRanges ? 1 : 0, isCurrent ? 0 : 1, standing.failures, source)
    }
    return ready.min { rank($0) < rank($1) }
  }

  /// The lowest missing piece that `source` has not given wrong.
  private func firstPiece(for source: Int) -> Int? {
    isHeld.indices.first { isWanted($0, from: source) }
  }

  /// Whether the piece is missing and may come from this source.
  package func isWanted(_ piece: Int, from source: Int) -> Bool {
    !isHeld[piece] && !sources[source].rejected.contains(piece)
  }

  /// The longest run of neighbouring wanted pieces from the first one, within the limit of a span.
  private func span(of source: Int, _ standings: MirrorStandings) -> Range<Int>? {
    guard let first = firstPiece(for: source) else { return nil }
    if standings[sources[source].mirror].ignoresRanges { return 0..<size }
    let start = pieces[first].lowerBound + usableBytes(of: first, from: source)
    var end = pieces[first].upperBound
    for piece in isHeld.indices.dropFirst(first + 1) {
      guard isWanted(piece, from: source), pieces[piece].upperBound - start <= Self.spanLimit else {
        break
      }
      end = pieces[piece].upperBound
    }
    return start..<end
  }

  /// The bytes at hand of an unfinished piece that a request to `source` may build on.
  private func usableBytes(of piece: Int, from source: Int) -> Int {
    guard let partial, partial.piece == piece else { return 0 }
    return wholeOnly.contains(piece) && partial.source != source ? 0 : partial.filled
  }

  /// The class of the error when there is nothing more to try.
  package func failure(standings: MirrorStandings) -> FetchError.Kind {
    FetchError.Kind(
      faults: sources.compactMap { source in
        source.suspended ?? standings[source.mirror].suspended ?? source.lastFault
      }
    )
  }
}
