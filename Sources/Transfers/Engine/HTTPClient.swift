/// Makes one request after another and waits for each, on the thread that owns this object.
///
/// Blocks that thread, which must not belong to the cooperative pool. Connections are kept between requests.
final class HTTPClient {
  /// The longest wait before clocks and connection state are looked at again.
  private static let longestTurn: Duration = .milliseconds(250)

  private let handle: EasyHandle
  private let stop: StopSignal
  private let now: () -> Duration

  init(options: FetchOptions, stop: StopSignal, now: @escaping () -> Duration) {
    handle = EasyHandle(options: options, stop: stop)
    self.stop = stop
    self.now = now
  }

  /// Waits until `deadline` or until the fetch is stopped.
  func wait(until deadline: Duration) {
    while !stop.isStopped, now() < deadline { poll(until: deadline) }
  }

  /// Makes one request for the target of `route` and gives the body to `sink` if the answer is what `ask` asked for.
  ///
  /// Follows no redirect. Returns within a moment after the fetch is stopped or a clock has run out; `whole` is the time
  /// for all of the request.
  func perform(
    _ ask: ResponseAsk,
    at route: Route,
    into sink: any BodySink,
    clocks: FetchClocks,
    whole: Duration? = nil
  ) -> ExchangeEnd {
    let exchange = Exchange(ask, sink: sink)
    handle.begin(exchange, ask, at: route)
    defer { handle.end() }
    var clock = StageClock(clocks: clocks, now: now(), whole: whole)
    var seen = 0
    while true {
      stop.perform()
      var end: ExchangeEnd?
      while unsafe stop.nextDone({ _, result in end = exchange.end(failure: handle.fault(result)) })
      {}
      if let end { return end }
      if stop.isStopped { return .cancelled }
      if handle.isConnected { clock.connected(now: now()) }
      if exchange.arrived > seen { clock.received(exchange.arrived - seen, now: now()) }
      seen = exchange.arrived
      if let fault = clock.fault(now: now()) { return exchange.end(failure: fault) }
      poll(until: clock.deadline)
    }
  }

  private func poll(until deadline: Duration) {
    stop.poll(min(Self.longestTurn, deadline - now()))
  }
}
