import CCurl
import Glibc
import Synchronization

/// Tells the thread of a fetch to stop, from any other thread, or to look what is new.
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
    wake()
  }

  /// Wakes the thread of the fetch if it waits.
  func wake() { _ = unsafe handle.withLock { unsafe curl_multi_wakeup($0) } }

  /// Moves bytes on all connections; only for the thread of the fetch.
  func perform() {
    var running: CInt = 0
    unsafe curl_multi_perform(multi, &running)
  }

  /// Waits for bytes or a wake-up, at most for this time; only for the thread of the fetch.
  func poll(_ time: Duration) {
    unsafe curl_multi_poll(multi, nil, 0, Self.milliseconds(time), nil)
  }

  /// Lets nothing come for this time, a fiftieth of a second at most.
  static func rest(_ time: Duration) {
    usleep(useconds_t(milliseconds(min(time, .milliseconds(19)))) * 1000)
  }

  /// The time in whole milliseconds and one more, so that what is due then is due; an hour at most.
  static func milliseconds(_ time: Duration) -> CInt {
    let (seconds, attoseconds) = min(max(.zero, time), .seconds(3600)).components
    return CInt(seconds * 1000 + attoseconds / 1_000_000_000_000_000) + 1
  }

  /// The next request that is over, as `isEnded` knows it by its handle's name, with its result.
  func nextDone(_ note: (UnsafeMutableRawPointer, CURLcode) -> Void) -> Bool {
    var result = CURLE_OK
    guard let easy = unsafe curl_multi_next_done(multi, &result) else { return false }
    unsafe note(easy, result)
    return true
  }
}
