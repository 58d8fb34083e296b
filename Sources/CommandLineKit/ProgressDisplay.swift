import StrictJSON
import Synchronization

/// How progress is shown.
package enum ProgressStyle: Equatable, Sendable {
  /// One line of a terminal, drawn again at most ten times a second.
  case terminal
  /// A line of a log at every tenth of the work, at most one a second, and every 30 seconds.
  case log
  /// A JSON event, at most one a second.
  case events
  case silent
}

/// Shows how far a piece of work has come, in the style of the console.
///
/// May be told from any thread and as often as the work likes; what is not due is not drawn. End it with
/// ``finish()``, which takes the terminal's line away.
package final class ProgressDisplay: Sendable {
  private struct State {
    var facts: ProgressFacts
    var meter = RateMeter()
    var lastShown: Duration?
    var lastTenth = 0
    var isFinished = false
  }

  private let console: Console
  private let now: @Sendable () -> Duration
  private let width: @Sendable () -> Int
  private let state: Mutex<State>

  /// Starts showing work on `total` bytes, of which `done` were there before.
  ///
  /// `now` is the time since any fixed moment; `width` is asked for the terminal's columns at each drawing.
  package init(
    _ console: Console,
    label: String,
    done: Int = 0,
    total: Int?,
    now: @escaping @Sendable () -> Duration = monotonicTime,
    width: @escaping @Sendable () -> Int = terminalWidth
  ) {
    self.console = console
    self.now = now
    self.width = width
    var state = State(facts: ProgressFacts(label: label, done: done, total: total))
    let start = now()
    state.meter.add(done, at: start)
    state.lastTenth = Self.tenth(state.facts)
    if console.style.progress == .log { state.lastShown = start }
    self.state = Mutex(state)
  }

  /// Notes that `done` bytes are done altogether, and the label where it changed.
  package func update(done: Int, label: String? = nil) {
    change { $0.done = done }
    if let label { change { $0.label = label } }
  }

  /// Notes that `count` more bytes are done.
  package func advance(by count: Int) {
    change { $0.done += count }
  }

  /// Shows what is due although nothing changed: a stalled work still says so every 30 seconds.
  package func tick() { change { _ in } }

  /// Ends the display.
  package func finish() {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.isFinished = true
      switch console.style.progress {
      case .terminal: console.showProgress("")
      case .events where state.lastShown != nil: show(&state, now())
      case .log, .events, .silent: break
      }
    }
  }

  private func change(_ update: (inout ProgressFacts) -> Void) {
    guard console.style.progress != .silent else { return }
    state.withLock { state in
      guard !state.isFinished else { return }
      update(&state.facts)
      let time = now()
      state.meter.add(state.facts.done, at: time)
      guard isDue(state, time) else { return }
      show(&state, time)
    }
  }

  private func isDue(_ state: borrowing State, _ time: Duration) -> Bool {
    guard let last = state.lastShown else { return true }
    let age = time - last
    switch console.style.progress {
    case .terminal: return age >= .milliseconds(100)
    case .events: return age >= .seconds(1)
    case .silent: return false
    case .log:
      let tenth = Self.tenth(state.facts)
      if tenth == 10, state.lastTenth < 10 { return true }
      return age >= .seconds(30) || (tenth > state.lastTenth && age >= .seconds(1))
    }
  }

  private func show(_ state: inout State, _ time: Duration) {
    state.lastShown = time
    state.lastTenth = Self.tenth(state.facts)
    state.facts.bytesPerSecond = state.meter.bytesPerSecond(at: time)
    switch console.style.progress {
    case .terminal: console.showProgress(ProgressLine.drawn(state.facts, width: width()))
    case .log: console.inform(ProgressLine.logged(state.facts))
    case .events: console.event("progress", state.facts.members)
    case .silent: break
    }
  }

  private static func tenth(_ facts: ProgressFacts) -> Int { (facts.percent ?? 0) / 10 }
}

extension ProgressFacts {
  fileprivate var members: JSONObject {
    var members: JSONObject = ["label": .string(label), "done": .integer(Int64(done))]
    if let total { members["total"] = .integer(Int64(total)) }
    if let bytesPerSecond { members["bytesPerSecond"] = .integer(Int64(bytesPerSecond)) }
    return members
  }
}

/// Runs `body` while its progress is shown, and ends the display however `body` ends.
///
/// A stalled work is still reported: the display ticks on its own, twice a second.
package func withProgress<Result>(
  _ display: ProgressDisplay,
  _ body: (ProgressDisplay) async throws -> Result
) async rethrows -> Result {
  let ticking = Task {
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(500))
      display.tick()
    }
  }
  defer {
    ticking.cancel()
    display.finish()
  }
  return try await body(display)
}
