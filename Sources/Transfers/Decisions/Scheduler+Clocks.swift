extension Scheduler {
  /// How long a transfer runs before its rate is compared, and the part of its peers' rate that is too little.
  private static let (trialTime, slowPart) = (Duration.seconds(5), 0.1)

  /// Ends transfers whose clock has run out, and takes from those that are far slower than their peers.
  mutating func watchClocks(now: Duration) {
    for transfer in transfers.values.sorted(by: { $0.id < $1.id }) where !transfer.isStopping {
      if let fault = transfer.clock.fault(now: now) {
        stop(transfer.id, fault)
      } else if isTooSlow(transfer, now: now) {
        standings.markSlow(transfer.mirror)
        relieveSlow(transfer, now: now)
      }
    }
  }

  /// Whether a transfer that ends was no slower than a fair mirror's.
  func isFair(_ transfer: ScheduledTransfer, now: Duration) -> Bool {
    guard let rate = transfer.rate(now: now), let median = peerRate(of: transfer, now: now) else {
      return true
    }
    return rate >= 3 * Self.slowPart * median
  }

  private func isTooSlow(_ transfer: ScheduledTransfer, now: Duration) -> Bool {
    guard now - transfer.started >= Self.trialTime, !transfer.isCopy,
      !standings[transfer.mirror].isSlow || transfer.pieces.upperBound > transfer.piece + 1,
      let median = peerRate(of: transfer, now: now)
    else { return false }
    return (transfer.rate(now: now) ?? 0) < Self.slowPart * median
  }

  /// The median rate of the other mirrors that could stand in for this one.
  private func peerRate(of transfer: ScheduledTransfer, now: Duration) -> Double? {
    let file = files[transfer.file]
    let rates = file.sources.indices.compactMap { source -> Double? in
      let mirror = file.sources[source].mirror
      guard mirror != transfer.mirror, isCandidate(source, of: transfer.file),
        !standings[mirror].ignoresRanges, standings[mirror].coolingUntil <= now
      else { return nil }
      return standings[mirror].rate.value
    }.sorted()
    return rates.isEmpty ? nil : rates[rates.count / 2]
  }

  /// Leaves a slow transfer the piece that it is at; a file of one piece goes on elsewhere at once.
  private mutating func relieveSlow(_ transfer: ScheduledTransfer, now: Duration) {
    let (file, next) = (transfer.file, transfer.piece + 1)
    guard files[file].stage == .open else { return }
    if files[file].ranges.count == 1 { return stop(transfer.id, nil) }
    guard next < transfer.pieces.upperBound else { return }
    for piece in next..<transfer.pieces.upperBound
    where files[file].pieces[piece] == .flying(transfer.id) {
      files[file].set(piece, .missing)
    }
    transfers[transfer.id]?.pieces = transfer.pieces.lowerBound..<next
    transfers[transfer.id]?.end = files[file].ranges[transfer.piece].upperBound
    actions.append(
      .cut(transfer: transfer.id, at: files[file].ranges[transfer.piece].upperBound)
    )
  }
}
