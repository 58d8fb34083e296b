import CCurl

/// One libcurl handle that makes one request at a time, on the thread that owns this object.
///
/// Blocks that thread, which must not belong to the cooperative pool. Connections are kept between requests.
@safe final class HTTPClient {
  /// The longest wait before clocks and connection state are looked at again.
  private static let longestTurn: Duration = .milliseconds(250)

  private let multi: UnsafeMutableRawPointer
  private let easy: UnsafeMutableRawPointer
  private let fields: RequestFields
  /// Where libcurl writes what exactly went wrong.
  private let complaint: UnsafeMutablePointer<CChar>
  private let options: FetchOptions
  private let stop: StopSignal
  private let now: () -> Duration

  init(options: FetchOptions, stop: StopSignal, now: @escaping () -> Duration) {
    guard let easy = unsafe curl_easy_init() else { preconditionFailure("out of memory") }
    unsafe (multi, self.easy) = (stop.multi, easy)
    unsafe complaint = .allocate(capacity: Int(CURL_ERROR_SIZE))
    self.options = options
    self.stop = stop
    self.now = now
    fields = RequestFields([
      "Accept-Encoding: identity", "Cache-Control: no-transform", "Accept: */*",
    ])
    configure()
  }

  deinit {
    unsafe curl_easy_cleanup(easy)
    unsafe complaint.deallocate()
  }

  /// Waits until `deadline` or until the fetch is stopped.
  func wait(until deadline: Duration) {
    while !stop.isStopped, now() < deadline { poll(until: deadline) }
  }

  /// Makes one request for `url` and gives the body to `sink` if the answer is what `ask` asked for.
  ///
  /// Follows no redirect. Returns within a moment after the fetch is stopped or a clock has run out.
  func perform(
    _ ask: ResponseAsk,
    at url: TransferURL,
    into sink: any BodySink,
    clocks: FetchClocks
  ) -> ExchangeEnd {
    let exchange = Exchange(
      ask,
      sink: sink,
      clock: StageClock(clocks: clocks, now: now()),
      now: now
    )
    prepare(ask, url: url)
    return withExtendedLifetime(exchange) {
      let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
      unsafe curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
      unsafe curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
      unsafe curl_multi_add_handle(multi, easy)
      // Only now is the handle free for the next request; an unfinished one loses its connection.
      defer { unsafe curl_multi_remove_handle(multi, easy) }
      return run(exchange, host: url.host)
    }
  }

  private func run(_ exchange: Exchange, host: String) -> ExchangeEnd {
    while true {
      var running: CInt = 0
      unsafe curl_multi_perform(multi, &running)
      var result = CURLE_OK
      if unsafe curl_multi_next_done(multi, &result) != nil {
        return exchange.end(failure: fault(result, host: host))
      }
      if stop.isStopped { return .cancelled }
      if isConnected { exchange.clock.connected(now: now()) }
      if let fault = exchange.clock.fault(now: now()) { return exchange.end(failure: fault) }
      poll(until: exchange.clock.deadline)
    }
  }

  private func poll(until deadline: Duration) {
    let turn = max(.zero, min(Self.longestTurn, deadline - now()))
    let (seconds, attoseconds) = turn.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    unsafe curl_multi_poll(multi, nil, 0, CInt(milliseconds) + 1, nil)
  }

  private var isConnected: Bool {
    var microseconds: curl_off_t = 0
    unsafe curl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &microseconds)
    return microseconds > 0
  }

  private func fault(_ result: CURLcode, host: String) -> MirrorFault? {
    guard result != CURLE_OK else { return nil }
    var systemCode = 0
    unsafe curl_get_long(easy, CURLINFO_OS_ERRNO, &systemCode)
    let details = unsafe String(cString: complaint)
    return mirrorFault(
      of: result.rawValue,
      host: host,
      systemCode: CInt(truncatingIfNeeded: systemCode),
      reason: details.isEmpty ? unsafe String(cString: curl_easy_strerror(result)) : details
    )
  }
}

// Options.
extension HTTPClient {
  /// Sets what is the same for all requests.
  ///
  /// `CURLOPT_ACCEPT_ENCODING` stays unset: with any value, libcurl would decode bodies itself.
  private func configure() {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_NOPROGRESS, 1)
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    set(CURLOPT_BUFFERSIZE, bufferSize)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_USERAGENT, options.userAgent)
    // Unset or null, libcurl would look into the environment.
    set(CURLOPT_NOPROXY, options.proxies.exceptions ?? "")
    if let authorities = options.authorities { set(CURLOPT_CAINFO, authorities) }
    if let rate = options.limitRate {
      unsafe curl_set_offset(easy, CURLOPT_MAX_RECV_SPEED_LARGE, curl_off_t(max(1, rate)))
    }
    unsafe curl_set_list(easy, CURLOPT_HTTPHEADER, fields.list)
    unsafe complaint.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe curl_set_pointer(easy, CURLOPT_ERRORBUFFER, complaint)
    unsafe curl_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      unsafe handOver(bytes, size * count, context) { $0.takeBody($1) }
    }
    unsafe curl_set_write(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      unsafe handOver(bytes, size * count, context) { $0.takeHead($1) }
    }
  }

  /// With a low rate limit a large buffer would come in one go, followed by a silence of many seconds.
  private var bufferSize: Int {
    min(512 * 1024, max(1024, (options.limitRate ?? .max) / 4))
  }

  private func prepare(_ ask: ResponseAsk, url: TransferURL) {
    set(CURLOPT_URL, url.text)
    set(CURLOPT_PROXY, (url.scheme == .https ? options.proxies.https : options.proxies.http) ?? "")
    set(
      CURLOPT_RANGE,
      ask.isRanged ? "\(ask.range.lowerBound)-\(ask.range.upperBound - 1)" : nil
    )
  }

  private func set(_ option: CURLoption, _ value: Int) {
    let result = unsafe curl_set_long(easy, option, value)
    precondition(result == CURLE_OK, "libcurl knows its options")
  }

  private func set(_ option: CURLoption, _ value: String?) {
    let result = unsafe curl_set_string(easy, option, value)
    precondition(result == CURLE_OK, "libcurl knows its options")
  }
}

/// Gives bytes of a callback to its exchange; what is not the count of the bytes ends the request.
private func handOver(
  _ bytes: UnsafeMutablePointer<CChar>?,
  _ count: Int,
  _ context: UnsafeMutableRawPointer?,
  to take: (Exchange, Span<UInt8>) -> Bool
) -> Int {
  guard let context = unsafe context else { return 0 }
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
  let isTaken = unsafe take(exchange, buffer.bindMemory(to: UInt8.self).span)
  // An empty call that is refused must not look like one that took all of nothing.
  return isTaken ? count : count + 1
}
