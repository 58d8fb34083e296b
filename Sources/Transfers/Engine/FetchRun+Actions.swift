import Digests
import SystemFiles

// What the scheduler says.
extension FetchRun {
  func perform(_ action: Scheduler.Action) {
    switch action {
    case .open(let file): open(file)
    case .start(let order): start(order)
    case .cut(let id, let end):
      transfers[id]?.intake.end = end
      if transfers[id]?.intake.isAtEnd ?? false { finish(id, .stopped) }
    case .stop(let id, let fault?):
      let end =
        if case .remote(_, let exchange)? = transfers[id]?.carrier {
          exchange.end(failure: fault)
        } else {
          ExchangeEnd.fault(fault)
        }
      finish(id, end)
    case .stop(let id, nil): finish(id, .stopped)
    case .drop(let file, let piece):
      if let assembly = files[file]?.parked.removeValue(forKey: piece) { waste(assembly, of: file) }
    case .finish(let file): close(file)
    case .complete: sync()
    case .giveUp(let file, let kind): fail(kind, requests[file].label)
    }
  }

  private func open(_ file: Int) {
    let (request, folder, report, stop) = (requests[file], folder, report, stop)
    work.add { bench, result in
      do throws(SystemError) {
        var opened = OpenedPart(part: try PartFile(request, in: folder))
        if let table = request.table {
          opened.claimed = try opened.part.claimedChunks(of: table)
          return result(.opened(file: file, opened))
        }
        let writer = StreamWriter(request, file: file, part: opened.part)
        opened.stream = writer
        opened.prefix = try writer.resume(&bench) { hashed in
          report(.checking(label: request.label, bytes: hashed, of: request.size))
          return !stop.isStopped
        }
        result(.opened(file: file, opened))
        guard opened.prefix == request.size else { return }
        let isRight = try writer.verifyResumed()
        result(.checked(file: file, piece: 0, isRight: isRight, .earlierRun))
      } catch {
        result(.failed(file: file, error))
      }
    }
  }

  private func close(_ file: Int) {
    guard let record = files.removeValue(forKey: file) else { return }
    for unfinished in record.parked.values { waste(unfinished, of: file) }
    let (part, syncs) = (record.part, requests[file].size >= Self.smallFile)
    if !syncs { unsynced.append(file) }
    work.add { _, result in
      do throws(SystemError) {
        result(.finished(file: file, try part.finish(syncs: syncs)))
      } catch {
        result(.failed(file: file, error))
      }
    }
  }

  /// Syncs the small files together: the file system writes for all at once.
  private func sync() {
    guard !unsynced.isEmpty else { return succeed() }
    let (names, folder) = (unsynced.map { (file: $0, name: requests[$0].name) }, folder)
    work.add { _, result in
      let failure = SyncCrew.firstFailure(of: names.count) { index -> WorkResult? in
        do throws(SystemError) {
          try folder.syncPart(names[index].name)
          return nil
        } catch {
          return .failed(file: names[index].file, error)
        }
      }
      result(failure ?? .synced)
    }
  }
}

// Requests.
extension FetchRun {
  private func start(_ order: Scheduler.Order) {
    let request = requests[order.file]
    guard let record = files[order.file] else { return }
    if record.chosen.insert(order.source).inserted {
      let mirror = mirrors[order.file][order.source]
      report(.mirrorChosen(label: request.label, mirror: ledger.name(of: mirror)))
    }
    let intake = intake(for: order, record)
    let ask = ResponseAsk(order.range, of: request)
    do throws(MirrorFault) {
      let url = try TransferURL(request.sources[order.source].url)
      let transfer = RunningTransfer(order, ask, into: intake, url: url)
      transfers[order.transfer] = transfer
      if let path = url.filePath {
        transfer.carrier = .local(try LocalTransfer(ask, path: path, into: intake))
      } else {
        let route = Route(
          to: url,
          remembered: targets[url],
          allowsDowngrade: options.allowsDowngrade
        )
        transfer.route = route
        send(transfer, by: route)
      }
    } catch {
      if transfers[order.transfer] == nil {
        transfers[order.transfer] = RunningTransfer(order, ask, into: intake, url: nil)
      }
      finish(order.transfer, .fault(error))
    }
  }

  private func intake(for order: Scheduler.Order, _ record: FileRecord) -> any TransferIntake {
    let file = order.file
    if let writer = record.stream {
      return StreamIntake(writer, order, pool: pool) { [unowned self] in
        let pool = pool
        work.add { _, result in writer.work(pool: pool, report: result) }
      }
    }
    let unfinished = order.isCopy ? nil : record.unfinished(at: order.range.lowerBound)
    let helpers = SpanIntake.Helpers(
      pool: pool,
      brings: { [unowned self] in scheduler.brings($0, of: file, by: order.transfer) },
      handOver: { [unowned self] in handOver($0, $1, of: file, by: order.transfer) },
      waste: { [unowned self] in waste($0, of: file) },
      skip: { [unowned self] in
        var wasted = Contributions()
        wasted.add($0, from: order.source)
        ledger.wasted(wasted, mirrors: mirrors[file])
      }
    )
    return SpanIntake(record.table ?? .init(), order, unfinished: unfinished, helpers)
  }

  private func send(_ transfer: RunningTransfer, by route: Route) {
    let handle = idle.popLast() ?? EasyHandle(options: options, stop: stop)
    let exchange = Exchange(transfer.ask, sink: transfer.intake)
    transfer.carrier = .remote(handle, exchange)
    transfer.isConnected = false
    handle.begin(exchange, transfer.ask, at: route)
  }

  /// Ends a transfer, puts its unfinished chunk aside, and tells the scheduler.
  func finish(_ id: Int, _ end: ExchangeEnd) {
    guard let transfer = transfers.removeValue(forKey: id) else { return }
    events += transfer.news()
    if case .remote(let handle, _) = transfer.carrier {
      handle.end()
      idle.append(handle)
    }
    if let url = transfer.url, let route = transfer.route {
      targets[url] = route.memory(after: end)
    }
    let partial = park(transfer)
    let order = transfer.order
    switch end {
    case .complete: events.append(.ended(transfer: id, .complete, partial: partial))
    case .stopped, .cancelled, .redirect:
      events.append(.ended(transfer: id, .stopped, partial: partial))
    case .fault(let fault):
      tell(fault, of: order.source, file: order.file)
      events.append(.ended(transfer: id, .fault(fault), partial: partial))
    }
  }

  private func park(_ transfer: RunningTransfer) -> Scheduler.Partial? {
    let order = transfer.order
    let unfinished = transfer.intake.takeUnfinished()
    guard let record = files[order.file] else {
      if let unfinished { waste(unfinished, of: order.file) }
      return nil
    }
    if let stream = record.stream {
      let filled = stream.received
      return Scheduler.Partial(piece: 0, filled: filled, source: stream.onlySource)
    }
    guard let unfinished else { return nil }
    guard !order.isCopy, unfinished.buffer.count > 0, record.parked[unfinished.piece] == nil,
      outcome == nil
    else {
      waste(unfinished, of: order.file)
      return nil
    }
    record.parked[unfinished.piece] = unfinished
    return Scheduler.Partial(
      piece: unfinished.piece,
      filled: unfinished.buffer.count,
      source: unfinished.contributions.onlySource
    )
  }

  func tell(_ fault: MirrorFault, of source: Int, file: Int) {
    let mirror = mirrors[file][source]
    ledger.failed(mirror, fault)
    report(
      .mirrorFault(label: requests[file].label, mirror: ledger.name(of: mirror), fault: fault)
    )
  }

  func waste(_ assembly: Assembly, of file: Int) {
    ledger.wasted(assembly.contributions, mirrors: mirrors[file])
    pool.give(assembly.buffer, fromWorker: false)
  }
}

extension FileRecord {
  /// The first bytes of the chunk that goes on at this place, if they are at hand.
  fileprivate func unfinished(at position: Int) -> Assembly? {
    guard let table else { return nil }
    for (piece, assembly) in parked
    where table.chunks[piece].offset + assembly.buffer.count == position {
      parked[piece] = nil
      return assembly
    }
    return nil
  }
}
