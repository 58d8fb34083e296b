import CCurl
import Digests
import SystemFiles

// What arrives on connections.
extension FetchRun {
  /// Collects what the scheduler is to know: first what was received, then what the workers made of it.
  func takeNews() {
    for id in transfers.keys.sorted() {
      if let news = transfers[id]?.news() { events += news }
    }
    for result in work.takeResults() { take(result) }
    events.append(.backlog(pool.backlog))
  }

  /// Takes the requests that libcurl has done.
  func takeDone() {
    var done: [(transfer: RunningTransfer, end: ExchangeEnd)] = []
    while unsafe stop.nextDone({ name, result in
      for transfer in transfers.values {
        guard case .remote(let handle, let exchange) = transfer.carrier,
          unsafe handle.isNamed(name)
        else { continue }
        done.append((transfer, exchange.end(failure: handle.fault(result))))
      }
    }) {}
    for (transfer, end) in done { goOn(transfer, after: end) }
  }

  private func goOn(_ transfer: RunningTransfer, after end: ExchangeEnd) {
    do throws(MirrorFault) {
      guard try transfer.route?.goesOn(after: end) ?? false, let route = transfer.route,
        case .remote(let handle, _) = transfer.carrier
      else { return finish(transfer.order.transfer, end) }
      handle.end()
      let exchange = Exchange(transfer.ask, sink: transfer.intake)
      transfer.carrier = .remote(handle, exchange)
      transfer.isConnected = false
      handle.begin(exchange, transfer.ask, at: route)
      events.append(.redirected(transfer: transfer.order.transfer))
    } catch {
      finish(transfer.order.transfer, .fault(error))
    }
  }

  /// Moves bytes on all connections.
  func receive() {
    guard budget != nil else { return stop.perform() }
    let before = transfers.values.reduce(0) { $0 + $1.received }
    stop.perform()
    budget?.used(transfers.values.reduce(0) { $0 + $1.received } - before)
  }

  /// Moves bytes of local mirrors; true if there may be more at once.
  func pumpLocal() -> Bool {
    var isPumping = false
    for (id, transfer) in transfers.sorted(by: { $0.key < $1.key }) {
      guard case .local(let local) = transfer.carrier else { continue }
      let before = local.received
      let end = local.pump(budget?.portion ?? .max)
      budget?.used(local.received - before)
      isPumping = true
      if let end { finish(id, end) }
    }
    return isPumping
  }

  func handOver(_ assembly: Assembly, _ verdict: Verdict, of file: Int, by transfer: Int) {
    guard let record = files[file], let table = record.table else {
      return waste(assembly, of: file)
    }
    pool.lend(assembly.buffer)
    line.add(
      ArrivedChunk(
        file: file,
        piece: assembly.piece,
        chunk: table.chunks[assembly.piece],
        part: record.part,
        transfer: transfer,
        buffer: assembly.buffer,
        contributions: assembly.contributions,
        verdict: verdict,
        readBehind: readBehind
      )
    )
    let (line, pool) = (line, pool)
    work.add { bench, result in line.work(pool: pool, bench.tagger, report: result) }
  }
}
