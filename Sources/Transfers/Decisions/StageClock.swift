/// Watches one request: connection, first byte, and the pauses between bytes each have their limit.
///
/// A mirror that sends a byte now and then is as good as silent: a pause ends only when enough of them have come. What
/// is merely slow is stopped here only where the whole request has a limit too.
package struct StageClock: Hashable, Sendable {
  /// The bytes that end a pause.
  static let leastProgress = 400

  private var progress = 0
  package private(set) var stage: MirrorFault.Stage = .connect
  private var since: Duration
  private let clocks: FetchClocks
  private let start: Duration
  private let whole: Duration?

  /// Begins a request; `whole` is the time that it may take in all.
  package init(clocks: FetchClocks, now: Duration, whole: Duration? = nil) {
    self.clocks = clocks
    self.whole = whole
    (start, since) = (now, now)
  }

  /// The clock of another request with the same limits.
  func again(now: Duration) -> StageClock { StageClock(clocks: clocks, now: now, whole: whole) }

  /// Notes that the connection stands.
  package mutating func connected(now: Duration) {
    guard stage == .connect else { return }
    (stage, since) = (.firstByte, now)
  }

  /// Notes that `count` bytes of the answer came.
  package mutating func received(_ count: Int, now: Duration) {
    progress += count
    guard stage != .idle || progress >= Self.leastProgress else { return }
    (stage, since, progress) = (.idle, now, 0)
  }

  /// When the request is over if nothing happens.
  package var deadline: Duration { min(since + limit, end ?? since + limit) }

  /// When the request is over, whatever came.
  private var end: Duration? { whole.map { start + $0 } }

  /// The fault, once the limit of the present stage is over.
  package func fault(now: Duration) -> MirrorFault? {
    guard now >= deadline else { return nil }
    if let end, let whole, now >= end { return .timedOut(.whole, after: whole) }
    return .timedOut(stage, after: limit)
  }

  private var limit: Duration {
    switch stage {
    case .connect: clocks.connect
    case .firstByte: clocks.firstByte
    case .idle, .whole: clocks.idle
    }
  }
}
