/// Measures the rate of verified bytes over the last ten seconds.
struct PaceMeter {
  private static let window: Duration = .seconds(10)
  private static let spacing: Duration = .seconds(1)

  private var samples: [(time: Duration, verified: Int)] = []

  /// Begins with bytes that no mirror sent.
  init(verified: Int, now: Duration) { samples = [(now, verified)] }

  /// Takes the bytes of earlier runs out of the account: they come at no rate.
  mutating func leaveOut(_ count: Int) {
    for index in samples.indices { samples[index].verified += count }
  }

  /// The pace, if the last one was told long enough ago.
  mutating func pace(_ ledger: FetchLedger, now: Duration) -> FetchPace? {
    guard let last = samples.last, now - last.time >= Self.spacing else { return nil }
    samples.append((now, ledger.verified))
    samples.removeAll { $0.time < now - Self.window - Self.spacing }
    guard let first = samples.first, now > first.time else { return nil }
    let rate = Double(ledger.verified - first.verified) / (now - first.time).inSeconds
    let left = Double(ledger.progress.total - ledger.verified)
    return FetchPace(
      rate: Int(max(0, min(rate, 1e15))),
      remaining: rate >= 1 ? .seconds(min(left / rate, 1e9)) : nil,
      shares: ledger.report.mirrors.map { FetchPace.Share(mirror: $0.name, bytes: $0.goodBytes) }
    )
  }
}
