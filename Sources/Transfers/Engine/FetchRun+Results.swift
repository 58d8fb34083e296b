import Digests
import SystemFiles

// What the workers found.
extension FetchRun {
  func take(_ result: WorkResult) {
    switch result {
    case .opened(let file, let opened): take(opened, file)
    case .checked(let file, let piece, let isRight, let origin):
      checked(file, piece, isRight: isRight, origin)
    case .verified(let file, let piece, let contributions):
      verified(file, piece, contributions)
    case .rejected(let file, let piece, let transfer, let digest, let contributions):
      rejected(file, piece, transfer, digest, contributions)
    case .pending(let file, let count): pending(file, count)
    case .restarted(let file, let wasted):
      ledger.wasted(wasted, mirrors: mirrors[file])
      files[file]?.pending = 0
      showProgress()
    case .finished(let file, let readBack):
      if let readBack { ledger.readBack(readBack, of: requests[file].name) }
      events.append(.finished(file: file))
      if requests[file].size >= Self.smallFile { report(.verified(label: requests[file].label)) }
    case .synced:
      for file in unsynced { report(.verified(label: requests[file].label)) }
      succeed()
    case .failed(let file, let error):
      // The name of the part says nothing to anybody; what happened belongs to the file, and has its place on disk.
      let label = requests[file].label
      fail(.local(error.renamed(label)), label)
    }
  }

  private func verified(_ file: Int, _ piece: Int, _ contributions: Contributions) {
    // The second copy of a chunk is of no use, right as it is.
    guard files[file]?.held.insert(piece).inserted ?? false else {
      return ledger.wasted(contributions, mirrors: mirrors[file])
    }
    for source in contributions.bytes.keys.compactMap({ $0 }) {
      scheduler.credit(source, of: file)
      if requests[file].chunks != nil, scheduler.wasRejected(piece, of: file) {
        let name = ledger.name(of: mirrors[file][source])
        report(.chunkRefetched(label: requests[file].label, chunk: piece, mirror: name))
      }
    }
    events.append(.verified(file: file, piece: piece))
    files[file]?.pending = 0
    ledger.verified(contributions, mirrors: mirrors[file])
    showProgress()
  }

  private func rejected(
    _ file: Int,
    _ piece: Int,
    _ transfer: Int,
    _ digest: SHA256Digest,
    _ contributions: Contributions
  ) {
    ledger.wasted(contributions, mirrors: mirrors[file])
    files[file]?.pending = 0
    let source = contributions.onlySource
    if let source, !scheduler.isSuspended(source, for: file) {
      let chunk = requests[file].chunks == nil ? nil : piece
      tell(.wrongBytes(chunk: chunk, found: digest), of: source, file: file)
    }
    events.append(
      .rejected(file: file, piece: piece, transfer: transfer, source: source, digest: digest)
    )
  }

  private func pending(_ file: Int, _ count: Int) {
    guard let record = files[file] else { return }
    record.pending = count == requests[file].size ? 0 : count
    if count > record.highWater {
      record.highWater = count
      events.append(.gained)
    }
    showProgress()
  }
}

// What was there before.
extension FetchRun {
  private func take(_ opened: OpenedPart, _ file: Int) {
    let request = requests[file]
    let record = FileRecord(opened, request.table)
    files[file] = record
    guard let table = record.table else {
      record.checking = opened.prefix == request.size ? 1 : 0
      record.checkingBytes = opened.prefix
      let partial = Scheduler.Partial(piece: 0, filled: opened.prefix, source: nil)
      if opened.prefix > 0, opened.prefix < request.size {
        report(.resumed(label: request.label, bytes: opened.prefix))
      }
      let checking = opened.prefix == request.size ? [0] : []
      return events.append(
        .opened(file: file, pieces: [0..<request.size], checking: checking, partial: partial)
      )
    }
    let places = request.localChunks.filter { table.chunks.indices.contains($0.chunk) }
    record.localChunks = Dictionary(grouping: places.reversed()) { $0.chunk }
    let checking = Set(opened.claimed).union(record.localChunks.keys).sorted()
    record.checking = checking.count
    record.checkingBytes = opened.claimed.reduce(0) { $0 + table.chunks[$1].length }
    events.append(
      .opened(file: file, pieces: table.chunks.map(\.range), checking: checking, partial: nil)
    )
    for piece in opened.claimed { check(piece, table.chunks[piece], record.part, file) }
    for piece in checking where !opened.claimed.contains(piece) { copy(piece, record, file) }
  }

  private func check(_ piece: Int, _ chunk: Chunk, _ part: PartFile, _ file: Int) {
    work.add(isUrgent: false) { bench, result in
      do throws(SystemError) {
        let isRight = try part.holds(chunk, &bench)
        if isRight { try part.found(piece) }
        result(.checked(file: file, piece: piece, isRight: isRight, .earlierRun))
      } catch {
        result(.failed(file: file, error))
      }
    }
  }

  /// Takes a chunk from another file of this machine; that it cannot be read is no failure.
  private func copy(_ piece: Int, _ record: FileRecord, _ file: Int) {
    guard let table = record.table, let place = record.localChunks[piece]?.popLast() else { return }
    if record.localChunks[piece]?.isEmpty == true { record.localChunks[piece] = nil }
    let (part, chunk) = (record.part, table.chunks[piece])
    work.add(isUrgent: false) { bench, result in
      // A write without an end: what is copied is read once more before the file gets its final name.
      _ = part.readings.willWrite(piece)
      let isRight: Bool
      do throws(SystemError) {
        isRight = try part.take(
          chunk,
          from: OpenFile(readingPlainFile: place.path),
          at: place.offset,
          &bench
        )
        if isRight { try part.claim(piece) }
      } catch {
        if error.isDiskFull { return result(.failed(file: file, error)) }
        return result(.checked(file: file, piece: piece, isRight: false, .otherVersion))
      }
      result(.checked(file: file, piece: piece, isRight: isRight, .otherVersion))
    }
  }

  private func checked(_ file: Int, _ piece: Int, isRight: Bool, _ origin: WorkResult.Origin) {
    guard let record = files[file] else { return }
    let length = record.table.map { $0.chunks[piece].length } ?? requests[file].size
    let label = requests[file].label
    if origin == .earlierRun {
      record.checkedBytes += length
      report(.checking(label: label, bytes: record.checkedBytes, of: record.checkingBytes))
    }
    if !isRight, record.localChunks[piece] != nil { return copy(piece, record, file) }
    events.append(.checked(file: file, piece: piece, isRight: isRight))
    record.checking -= 1
    if isRight {
      record.held.insert(piece)
      meter.leaveOut(length)
      switch origin {
      case .earlierRun:
        record.resumed += length
        ledger.resumed(length)
      case .otherVersion:
        record.reused += length
        ledger.reused(length)
      }
      showProgress()
    }
    guard record.checking == 0 else { return }
    if record.resumed > 0 { report(.resumed(label: label, bytes: record.resumed)) }
    if record.reused > 0 { report(.reused(label: label, bytes: record.reused)) }
  }
}
