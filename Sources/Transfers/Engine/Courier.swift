/// Asks mirrors: chooses the way for each URL, and follows redirects by the policy.
///
/// Where a URL led is remembered for the run. When an answer from there says that it no longer holds, the
/// mirror's own URL is asked again, once.
final class Courier {
  private let http: HTTPClient
  private let stop: StopSignal
  private let allowsDowngrade: Bool
  private var targets: [TransferURL: TransferURL] = [:]

  init(http: HTTPClient, stop: StopSignal, allowsDowngrade: Bool) {
    self.http = http
    self.stop = stop
    self.allowsDowngrade = allowsDowngrade
  }

  /// Asks for `ask` at `url`; no end is a redirect.
  func perform(
    _ ask: ResponseAsk,
    at url: TransferURL,
    into sink: any BodySink,
    clocks: FetchClocks
  ) -> ExchangeEnd {
    if let path = url.filePath {
      return LocalSource.perform(ask, path: path, into: sink, stop: stop)
    }
    if let target = targets[url] {
      let end = http.perform(ask, at: target, into: sink, clocks: clocks)
      if isCurrent(end) { return end }
      targets[url] = nil
      if case .fault(let fault) = end, ![.auth, .missing].contains(fault.kind) { return end }
    }
    return resolve(ask, at: url, into: sink, clocks: clocks)
  }

  private func isCurrent(_ end: ExchangeEnd) -> Bool {
    switch end {
    case .redirect, .fault: false
    case .complete, .stopped, .cancelled: true
    }
  }

  private func resolve(
    _ ask: ResponseAsk,
    at url: TransferURL,
    into sink: any BodySink,
    clocks: FetchClocks
  ) -> ExchangeEnd {
    var trail = RedirectTrail(from: url, allowsDowngrade: allowsDowngrade)
    var target = url
    while true {
      let end = http.perform(ask, at: target, into: sink, clocks: clocks)
      guard case .redirect(let location) = end else {
        if isCurrent(end), target != url { targets[url] = target }
        return end
      }
      do {
        target = try trail.follow(location)
      } catch {
        return .fault(error)
      }
    }
  }
}
