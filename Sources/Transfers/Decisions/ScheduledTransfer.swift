/// One request that is running, as the scheduler sees it.
struct ScheduledTransfer: Hashable, Sendable {
  let id: Int
  let file: Int
  let source: Int
  let mirror: Int
  /// Whether it fetches a piece that another transfer fetches too.
  var isCopy: Bool
  /// The pieces that it was to bring; its end is lowered when the tail is taken away.
  var pieces: Range<Int>
  /// The place of the next byte, and where the transfer ends.
  var position: Int
  var end: Int
  /// The piece of the next byte.
  var piece: Int
  var clock: StageClock
  /// The longest piece of its file: what it needs in memory.
  let reserved: Int

  let started: Duration
  private(set) var lastByte: Duration
  private(set) var received = 0
  /// Whether it was told to end.
  var isStopping = false
  /// What was told as a rate already.
  private var measuredBytes = 0
  private var measuredAt: Duration

  init(
    _ order: Scheduler.Order,
    mirror: Int,
    pieces: Range<Int>,
    clock: StageClock,
    reserved: Int,
    now: Duration
  ) {
    id = order.transfer
    file = order.file
    source = order.source
    isCopy = order.isCopy
    self.mirror = mirror
    self.pieces = pieces
    position = order.range.lowerBound
    end = order.range.upperBound
    piece = pieces.lowerBound
    self.clock = clock
    self.reserved = reserved
    started = now
    lastByte = now
    measuredAt = now
  }

  /// Notes that bytes came.
  mutating func take(_ count: Int, now: Duration) {
    clock.received(count, now: now)
    lastByte = now
    received += count
    position += count
  }

  func isOf(_ source: Int, _ file: Int) -> Bool { self.source == source && self.file == file }

  var remaining: Int { max(0, end - position) }

  /// Bytes a second since the request; nil before the first byte.
  func rate(now: Duration) -> Double? {
    guard received > 0, now > started else { return nil }
    return Double(received) / (now - started).inSeconds
  }

  /// What came since the last sample, if that is long enough ago to say something.
  mutating func sample(after least: Duration, now: Duration) -> (count: Int, time: Duration)? {
    let time = now - measuredAt
    guard received > 0, time >= least, time > .zero else { return nil }
    defer { (measuredBytes, measuredAt) = (received, now) }
    return (received - measuredBytes, time)
  }
}
