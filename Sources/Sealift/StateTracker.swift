import Installing
import ModelStore
import Transfers

/// Turns the events of an install into the states that people see; a value without clock or thread.
///
/// Says a new state only where it differs enough from the last one to be seen.
struct StateTracker {
  /// The smallest step of a fraction that is told.
  private static let step = 0.002

  /// The bytes of the whole release.
  private let size: Int
  /// The bytes of files that were there already when the fetch began.
  private var base = 0
  private var rate: Int?
  private var eta: Duration?
  private var fraction = 0.0
  private var told: InstallState?

  init(size: Int) { self.size = size }

  /// The state after an event; nil where nobody need be told.
  mutating func state(after event: InstallEvent) -> InstallState? {
    switch event {
    case .fetching(_, let total):
      base = max(0, size - total)
      return tell(downloading: part(base))
    case .transfer(.progress(let progress)):
      return tell(downloading: part(base + progress.verified + progress.pending))
    case .transfer(.pace(let pace)):
      (rate, eta) = (pace.rate, pace.remaining)
      return tell(downloading: fraction)
    case .attachedProgress(let progress):
      let part = progress.total > 0 ? Double(progress.done) / Double(progress.total) : 0
      return progress.phase == .verify ? tell(verifying: part) : tell(downloading: part)
    case .verifying(let done, let total), .reading(let done, let total):
      return tell(verifying: total > 0 ? Double(done) / Double(total) : 1)
    default: return nil
    }
  }

  private func part(_ bytes: Int) -> Double { size > 0 ? min(1, Double(bytes) / Double(size)) : 1 }

  private mutating func tell(downloading fraction: Double) -> InstallState? {
    self.fraction = fraction
    if case .downloading(let old, rate, eta) = told, abs(fraction - old) < Self.step { return nil }
    return tell(.downloading(fraction: fraction, rate: rate, eta: eta))
  }

  private mutating func tell(verifying fraction: Double) -> InstallState? {
    let fraction = min(1, fraction)
    if case .verifying(let old) = told, abs(fraction - old) < Self.step, fraction < 1 { return nil }
    return tell(.verifying(fraction: fraction))
  }

  private mutating func tell(_ state: InstallState) -> InstallState? {
    guard state != told else { return nil }
    told = state
    return state
  }
}
