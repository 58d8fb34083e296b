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
  ///
  /// No signal that arrives after this returns is lost. At most one interruption of a process watches signals.
  package func watchSignals() {
    noteIgnored(SIGPIPE, before: signal(SIGPIPE, SIG_IGN))
    var ends: [CInt] = [-1, -1]
    let status = unsafe pipe(&ends)
    precondition(status == 0, "no pipe for signals")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler must not wait, not even for room in a pipe.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let source = ends[0]
    signalEnd.store(ends[1], ordering: .sequentiallyConsistent)
    for number in [SIGINT, SIGTERM] { noteIgnored(number, before: signal(number, noteSignal)) }
    DispatchQueue(label: "signals").async { @Sendable in
      while waitForSignal(source) {
        if !self.interrupt() { _exit(ExitCode.interrupted.rawValue) }
      }
    }
  }
}

/// The end of a pipe that the signal handler writes to.
private let signalEnd = Atomic<CInt>(-1)

/// The signals that were ignored when this process began, one bit each.
private let ignoredSignals = Atomic<UInt64>(0)

/// Remembers whether a signal was ignored, from what `signal` says that was done with it before.
private func noteIgnored(_ number: CInt, before handler: __sighandler_t?) {
  let (old, ignoring) = unsafe (
    unsafeBitCast(handler, to: Int.self), unsafeBitCast(SIG_IGN, to: Int.self)
  )
  guard old == ignoring else { return }
  ignoredSignals.bitwiseOr(1 << UInt64(number), ordering: .sequentiallyConsistent)
}

/// Notes the arrival of a signal, doing only what a signal handler may; the corresponding C function is `write`.
private func noteSignal(_ number: CInt) {
  let code = errno
  var note: UInt8 = 0
  _ = unsafe write(signalEnd.load(ordering: .sequentiallyConsistent), &note, 1)
  errno = code
}

/// Waits until a signal has been noted; returns false when none can come any more.
private func waitForSignal(_ descriptor: CInt) -> Bool {
  var note: UInt8 = 0
  while true {
    let count = unsafe read(descriptor, &note, 1)
    if count >= 0 || errno != EINTR { return count > 0 }
  }
}

/// Gives signals back their first meaning, for a program that is about to take this process's place.
///
/// One that was ignored when this process began is ignored again, as `nohup` and shells want it.
///
/// Ignored signals and the signal mask outlive `execve`. The corresponding C functions are `signal` and `sigprocmask`.
package func restoreDefaultSignals() {
  let ignored = ignoredSignals.load(ordering: .sequentiallyConsistent)
  for number in [SIGPIPE, SIGINT, SIGTERM] {
    signal(number, ignored & 1 << UInt64(number) == 0 ? SIG_DFL : SIG_IGN)
  }
  var none = sigset_t()
  unsafe sigemptyset(&none)
  _ = unsafe sigprocmask(SIG_SETMASK, &none, nil)
}
