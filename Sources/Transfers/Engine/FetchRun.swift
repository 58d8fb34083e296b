import Digests
import SystemFiles

/// One fetch on its own thread: file after file, over one connection.
final class FetchRun {
  let folder: PartFolder
  let options: FetchOptions
  let stop: StopSignal
  let http: HTTPClient
  let courier: Courier
  let now: () -> Duration
  let report: @Sendable (FetchEvent) -> Void
  var standings: MirrorStandings
  var ledger: FetchLedger

  init(
    _ requests: [FetchRequest],
    into folder: PartFolder,
    options: FetchOptions,
    stop: StopSignal,
    report: @escaping @Sendable (FetchEvent) -> Void
  ) {
    self.folder = folder
    self.options = options
    self.stop = stop
    self.report = report
    // Time in which the machine sleeps is nobody's fault.
    let start = SuspendingClock.now
    now = { start.duration(to: .now) }
    http = HTTPClient(options: options, stop: stop, now: now)
    courier = Courier(http: http, stop: stop, allowsDowngrade: options.allowsDowngrade)
    ledger = FetchLedger(requests)
    standings = MirrorStandings(count: ledger.report.mirrors.count)
  }

  func perform(_ requests: [FetchRequest]) throws(FetchError) -> FetchReport {
    for request in requests {
      do {
        try FileFetch(request, run: self).perform()
      } catch {
        throw FetchError(kind: error, label: request.label, report: ledger.report)
      }
    }
    return ledger.report
  }

  func showProgress() { report(.progress(ledger.progress)) }
}

extension FetchError.Kind: Error {}
