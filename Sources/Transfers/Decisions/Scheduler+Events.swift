extension Scheduler {
  /// Takes one event.
  mutating func note(_ event: Event, now: Duration) {
    switch event {
    case .opened(let file, let pieces, let checking, let partial):
      files[file].open(pieces, checking: checking)
      if let partial, partial.filled > 0 { files[file].partials[partial.piece] = partial }
      doubtful.insert(file)
    case .checked(let file, let piece, let isRight):
      guard files[file].stage == .open, files[file].pieces[piece] == .checking else { return }
      files[file].set(piece, isRight ? .held : .missing)
      if isRight { lastGain = now }
      doubtful.insert(file)
    case .connected(let id): transfers[id]?.clock.connected(now: now)
    case .redirected(let id):
      guard let transfer = transfers[id] else { return }
      transfers[id]?.clock = transfer.clock.again(now: now)
    case .answered(let id, let range):
      transfers[id]?.clock.received(1, now: now)
      answered(id, range)
    case .received(let id, let count): received(id, count, now: now)
    case .ended(let id, let end, let partial): ended(id, end, partial, now: now)
    case .verified(let file, let piece): verified(file, piece, now: now)
    case .rejected(let file, let piece, let id, let source, let digest):
      guard files[file].stage == .open else { return }
      if files[file].copies[piece] == id { files[file].copies[piece] = nil }
      if files[file].pieces[piece] == .handed(id) { free(piece, of: file) }
      guard let source else {
        files[file].wholeOnly.insert(piece)
        return
      }
      files[file].reject(piece, from: source, digest: digest)
      dropPartials(of: source, file)
      failed(file, source, .wrongBytes(chunk: piece, found: digest), now: now)
      stop(id, nil)
      guard !isCandidate(source, of: file) else { return }
      for other in transfers.values where other.file == file && other.source == source {
        stop(other.id, nil)
      }
    case .gained: lastGain = now
    case .finished(let file): finished(file)
    case .backlog(let count): backlog = count
    }
  }

  /// Drops what a source that lies has begun, so that no honest one goes on with it.
  private mutating func dropPartials(of source: Int, _ file: Int) {
    for (piece, partial) in files[file].partials where partial.source == source {
      files[file].partials[piece] = nil
      actions.append(.drop(file: file, piece: piece))
    }
  }

  /// Gives a piece back: to its copy if there is one, else to whoever comes.
  private mutating func free(_ piece: Int, of file: Int) {
    if let copy = files[file].copies.removeValue(forKey: piece), transfers[copy] != nil {
      files[file].set(piece, .flying(copy))
      transfers[copy]?.isCopy = false
    } else {
      files[file].set(piece, .missing)
    }
  }

  /// A whole file in place of a range: the mirror cannot do better, and what nobody else is to bring is taken.
  private mutating func answered(_ id: Int, _ range: Range<Int>) {
    // What is verified only at its end would be a trial without end.
    if let transfer = transfers[id], files[transfer.file].ranges.count == 1 {
      standings.tested(transfer.mirror)
    }
    guard let transfer = transfers[id], range.upperBound > transfer.end,
      files[transfer.file].stage == .open
    else { return }
    standings.ignoresRanges(transfer.mirror)
    let file = transfer.file
    guard !transfer.isCopy, !isServedElsewhere(file, besides: transfer.source) else {
      actions.append(.cut(transfer: id, at: transfer.end))
      return
    }
    for piece in files[file].pieces.indices.dropFirst(transfer.pieces.upperBound)
    where files[file].isWanted(piece, from: transfer.source) {
      claim(piece, of: file, for: id)
    }
    transfers[id]?.pieces = transfer.pieces.lowerBound..<files[file].pieces.count
    transfers[id]?.end = range.upperBound
  }

  /// Whether another source can be asked for ranges of the file.
  func isServedElsewhere(_ file: Int, besides source: Int) -> Bool {
    files[file].sources.indices.contains { other in
      let standing = standings[files[file].sources[other].mirror]
      return other != source && isCandidate(other, of: file) && !standing.ignoresRanges
        && standing.failures == 0
        && files[file].sources[other].rejected.allSatisfy { files[file].pieces[$0] != .missing }
    }
  }

  mutating func claim(_ piece: Int, of file: Int, for id: Int) {
    if files[file].partials.removeValue(forKey: piece) != nil {
      actions.append(.drop(file: file, piece: piece))
    }
    files[file].set(piece, .flying(id))
  }

  private mutating func received(_ id: Int, _ count: Int, now: Duration) {
    guard var transfer = transfers.removeValue(forKey: id) else { return }
    defer { transfers[id] = transfer }
    transfer.take(count, now: now)
    if let (bytes, time) = transfer.sample(after: .seconds(1), now: now) {
      standings.measured(transfer.mirror, bytes, in: time)
    }
    let file = transfer.file
    guard files[file].stage == .open else { return }
    while transfer.piece < transfer.pieces.upperBound,
      transfer.position >= files[file].ranges[transfer.piece].upperBound
    {
      if files[file].pieces[transfer.piece] == .flying(id) {
        files[file].set(transfer.piece, .handed(id))
      }
      transfer.piece += 1
    }
  }

  private mutating func ended(_ id: Int, _ end: End, _ partial: Partial?, now: Duration) {
    guard var transfer = transfers.removeValue(forKey: id) else { return }
    let file = transfer.file
    if let (bytes, time) = transfer.sample(after: .milliseconds(1), now: now), bytes > 16_000 {
      standings.measured(transfer.mirror, bytes, in: time)
    }
    if files[file].stage == .open { release(transfer, partial) }
    switch end {
    case .complete:
      standings.servedSpan(transfer.mirror, isFair: isFair(transfer, now: now))
      // Where no piece is whole, there is nothing to wait for.
      if transfer.piece == transfer.pieces.lowerBound { standings.tested(transfer.mirror) }
    case .stopped: standings.tested(transfer.mirror)
    case .fault(let fault): failed(file, transfer.source, fault, now: now)
    }
    standings.ended(transfer.mirror)
    doubtful.insert(file)
  }

  /// Gives back what the transfer did not bring.
  private mutating func release(_ transfer: ScheduledTransfer, _ partial: Partial?) {
    let file = transfer.file
    for piece in transfer.pieces {
      // A copy that is whole counts until it is known what it is worth.
      if files[file].copies[piece] == transfer.id, piece >= transfer.piece {
        files[file].copies[piece] = nil
      }
      if files[file].pieces[piece] == .flying(transfer.id) { free(piece, of: file) }
    }
    guard let partial else { return }
    if files[file].pieces[partial.piece] == .missing, partial.filled > 0,
      !isSpoiling(partial.source, of: file)
    {
      files[file].partials[partial.piece] = partial
    } else {
      actions.append(.drop(file: file, piece: partial.piece))
    }
  }

  /// Whether the last that came of a source was wrong.
  private func isSpoiling(_ source: Int?, of file: Int) -> Bool {
    source.map { files[file].sources[$0].lastFault?.reaction == .rejectPiece } ?? false
  }

  private mutating func verified(_ file: Int, _ piece: Int, now: Duration) {
    lastGain = now
    guard files[file].stage == .open, files[file].pieces[piece] != .held else { return }
    if files[file].partials.removeValue(forKey: piece) != nil {
      actions.append(.drop(file: file, piece: piece))
    }
    let losers = [files[file].copies.removeValue(forKey: piece), files[file].flier(of: piece)]
    files[file].set(piece, .held)
    let flying = losers.compactMap { $0.flatMap { transfers[$0] } }.filter { $0.piece == piece }
    let start = files[file].ranges[piece].lowerBound
    files[file].settleCopies(
      of: piece,
      wasted: flying.isEmpty ? nil : flying.reduce(0) { $0 + max(0, $1.position - start) }
    )
    for transfer in flying { lose(transfer.id, now: now) }
  }

  /// Ends a transfer whose piece came from another; one that was far slower is known as slow.
  private mutating func lose(_ id: Int, now: Duration) {
    guard let transfer = transfers[id] else { return }
    if !transfer.isCopy { standings.markSlow(transfer.mirror) }
    stop(id, nil)
  }

  /// Notes which source gave right bytes.
  package mutating func credit(_ source: Int, of file: Int) {
    standings.verified(by: files[file].sources[source].mirror)
  }

  /// Notes that a request failed.
  mutating func failed(_ file: Int, _ source: Int, _ fault: MirrorFault, now: Duration) {
    let mirror = files[file].sources[source].mirror
    standings.failed(mirror, fault, now: now, roll: jitter.roll())
    if files[file].failed(source, fault), fault.kind != .missing {
      standings.spoiltFile(mirror, by: fault)
    }
    doubtful.insert(file)
    if standings[mirror].suspended != nil { doubtful.formUnion(open) }
  }

  /// Says that a transfer is to end; what comes of it is told by the event `ended`.
  mutating func stop(_ id: Int, _ fault: MirrorFault?) {
    guard let transfer = transfers[id], !transfer.isStopping else { return }
    transfers[id]?.isStopping = true
    actions.append(.stop(transfer: id, fault))
  }
}

extension ScheduledFile {
  /// The transfer that is to bring the piece.
  fileprivate func flier(of piece: Int) -> Int? {
    if case .flying(let id) = pieces[piece] { id } else { nil }
  }
}
