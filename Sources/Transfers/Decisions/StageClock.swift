/// Watches one request: connection, first byte, and the pauses between bytes each have their limit.
package struct StageClock: Hashable, Sendable {
  package private(set) var stage: MirrorFault.Stage = .connect
  private var since: Duration
  private let clocks: FetchClocks

  package init(clocks: FetchClocks, now: Duration) {
    self.clocks = clocks
    since = now
  }

  /// Notes that the connection stands.
  package mutating func connected(now: Duration) {
    guard stage == .connect else { return }
    (stage, since) = (.firstByte, now)
  }

  /// Notes that bytes of the answer came.
  package mutating func received(now: Duration) { (stage, since) = (.idle, now) }

  /// When the request is over if nothing happens.
  package var deadline: Duration { since + limit }

  /// The fault, once the limit of the present stage is over.
  package func fault(now: Duration) -> MirrorFault? {
    now < deadline ? nil : .timedOut(stage, after: limit)
  }

  private var limit: Duration {
    switch stage {
    case .connect: clocks.connect
    case .firstByte: clocks.firstByte
    case .idle: clocks.idle
    }
  }
}
