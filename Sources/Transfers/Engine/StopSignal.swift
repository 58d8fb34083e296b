import CCurl
import Synchronization

/// Tells the thread of a fetch to stop, from any other thread.
///
/// Owns the libcurl multi handle in which that thread waits, so that it can be woken at any time.
@safe final class StopSignal: Sendable {
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  private let flag = Atomic<Bool>(false)
  private let handle: Mutex<UnsafeMutableRawPointer>

  init() {
    precondition(Self.isReady, "libcurl starts")
    guard let multi = unsafe curl_multi_init() else { preconditionFailure("out of memory") }
    unsafe handle = Mutex(multi)
  }

  deinit { _ = unsafe handle.withLock { unsafe curl_multi_cleanup($0) } }

  /// The handle, for the one thread that makes requests with it.
  var multi: UnsafeMutableRawPointer { unsafe handle.withLock { unsafe $0 } }

  var isStopped: Bool { flag.load(ordering: .acquiring) }

  /// Stops the fetch and wakes its thread if it waits.
  func stop() {
    flag.store(true, ordering: .releasing)
    _ = unsafe handle.withLock { unsafe curl_multi_wakeup($0) }
  }
}
