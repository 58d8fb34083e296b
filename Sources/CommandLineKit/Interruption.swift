import Dispatch
import Glibc
import Synchronization

/// Lets a signal, or a test, stop the running command cleanly.
///
/// The first interruption runs the action; a second one by signal ends the process at once with exit code 130, which
/// loses nothing, since every write that matters survives a crash.
package final class Interruption: Sendable {
  private struct State {
    var isInterrupted = false
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let watches = Mutex<[SignalWatch]>([])

  package init() {}

  /// Whether an interruption has happened.
  package var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// Interrupts; returns whether this was the first time.
  @discardableResult
  package func interrupt() -> Bool {
    let action: (@Sendable () -> Void)?? = state.withLock { state in
      guard !state.isInterrupted else { return nil }
      state.isInterrupted = true
      return .some(state.action)
    }
    guard let action else { return false }
    action?()
    return true
  }

  /// Sets what an interruption does; when one has happened already, it is done now.
  func onInterrupt(_ action: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.action = action
      return state.isInterrupted
    }
    if isLate { action() }
  }

  /// Takes over SIGINT and SIGTERM for the rest of the process, and ignores SIGPIPE.
  package func watchSignals() {
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM] {
      let watch = SignalWatch(number) {
        if !self.interrupt() { _exit(ExitCode.interrupted.rawValue) }
      }
      watches.withLock { $0.append(watch) }
    }
  }
}

/// Calls an action on a thread of its own for each arrival of a signal, for as long as the value lives.
private final class SignalWatch: Sendable {
  private let source: Mutex<any DispatchSourceSignal>

  init(_ number: CInt, _ action: @escaping @Sendable () -> Void) {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(
      signal: number,
      queue: DispatchQueue(label: "signal \(number)")
    )
    // Without @Sendable the handler would belong to the caller's actor, and stop the process when it runs.
    source.setEventHandler { @Sendable in action() }
    source.activate()
    self.source = Mutex(source)
  }
}

/// Gives signals back their first meaning, for a program that is about to take this process's place.
///
/// Ignored signals and the signal mask outlive `execve`. The corresponding C functions are `signal` and `sigprocmask`.
package func restoreDefaultSignals() {
  for number in [SIGPIPE, SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  var none = sigset_t()
  unsafe sigemptyset(&none)
  _ = unsafe sigprocmask(SIG_SETMASK, &none, nil)
}
