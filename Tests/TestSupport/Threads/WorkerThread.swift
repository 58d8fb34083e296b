import Glibc

/// A thread of its own for work that blocks, with SIGPIPE blocked in it.
///
/// Somebody must call ``join()`` or ``detach()`` once; that the value goes does not end the thread.
final class WorkerThread: Sendable {
  private let handle: pthread_t

  init(_ body: @escaping @Sendable () -> Void) throws(SupportError) {
    let context = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    var handle = pthread_t()
    let code = unsafe pthread_create(&handle, nil, runWork, context)
    guard code == 0 else {
      unsafe Unmanaged<Work>.fromOpaque(context).release()
      throw .failed(call: "pthread_create", code: code)
    }
    self.handle = handle
  }

  /// Returns once the body has returned; never to be called from the thread itself.
  func join() {
    let code = pthread_join(handle, nil)
    precondition(code == 0, "a thread is joined once")
  }

  /// Lets the thread free itself at its end, instead of a join.
  func detach() {
    let code = pthread_detach(handle)
    precondition(code == 0, "a thread is detached once")
  }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  // sendfile has no MSG_NOSIGNAL, so the signal itself must be kept away.
  var broken = sigset_t()
  unsafe sigemptyset(&broken)
  unsafe sigaddset(&broken, SIGPIPE)
  unsafe pthread_sigmask(SIG_BLOCK, &broken, nil)
  if let context = unsafe context {
    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
  }
  return nil
}
