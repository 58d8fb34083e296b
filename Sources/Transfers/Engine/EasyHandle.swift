import CCurl

/// One libcurl handle: makes one request at a time, on the thread that owns this object.
///
/// Connections belong to the multi handle, which keeps them between requests.
@safe final class EasyHandle {
  private let multi: UnsafeMutableRawPointer
  private let easy: UnsafeMutableRawPointer
  private let plainFields: RequestFields
  /// The fields of the request that runs, which libcurl does not copy.
  private var fields: RequestFields
  /// Where libcurl writes what exactly went wrong.
  private let complaint: UnsafeMutablePointer<CChar>
  private let options: FetchOptions
  /// The request that runs, kept for libcurl's callbacks.
  private var exchange: Exchange?
  private var host = ""
  /// The origin of the mirror's own URL.
  private var mirrorOrigin = ""

  init(options: FetchOptions, stop: StopSignal) {
    guard let easy = unsafe curl_easy_init() else { preconditionFailure("out of memory") }
    unsafe (multi, self.easy) = (stop.multi, easy)
    unsafe complaint = .allocate(capacity: Int(CURL_ERROR_SIZE))
    self.options = options
    plainFields = RequestFields(RequestFields.common)
    fields = plainFields
    configure()
  }

  deinit {
    if exchange != nil { unsafe curl_multi_remove_handle(multi, easy) }
    unsafe curl_easy_cleanup(easy)
    unsafe complaint.deallocate()
  }

  /// Begins a request for the target of `route` whose answer `exchange` takes; follows no redirect.
  func begin(_ exchange: Exchange, _ ask: ResponseAsk, at route: Route) {
    let url = route.target
    precondition(self.exchange == nil, "one request at a time")
    self.exchange = exchange
    (host, mirrorOrigin) = (url.host, route.start.origin)
    prepare(ask, url: url, mirror: route.start)
    let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    unsafe curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    unsafe curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    unsafe curl_multi_add_handle(multi, easy)
  }

  /// Ends the request; one that is unfinished loses its connection.
  func end() {
    // Only now is the handle free for the next request.
    unsafe curl_multi_remove_handle(multi, easy)
    exchange = nil
  }

  /// Whether the request that runs is the one that libcurl names so.
  func isNamed(_ pointer: UnsafeMutableRawPointer) -> Bool { unsafe pointer == easy }

  /// Whether the connection stands, TLS included.
  var isConnected: Bool {
    var microseconds: curl_off_t = 0
    unsafe curl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &microseconds)
    return microseconds > 0
  }

  /// What a result that is not success says about the mirror.
  func fault(_ result: CURLcode) -> MirrorFault? {
    guard result != CURLE_OK else { return nil }
    var systemCode = 0
    unsafe curl_get_long(easy, CURLINFO_OS_ERRNO, &systemCode)
    let details = unsafe String(cString: complaint)
    let fault = mirrorFault(
      of: result.rawValue,
      host: host,
      systemCode: CInt(truncatingIfNeeded: systemCode),
      reason: details.isEmpty ? unsafe String(cString: curl_easy_strerror(result)) : details
    )
    // A proxy, or where the mirror led: it is not the mirror that does not answer.
    guard let place = unreachedPlace(in: details), !mirrorOrigin.hasSuffix("://\(place)") else {
      return fault
    }
    return fault.connecting(to: place)
  }
}

// Options.
extension EasyHandle {
  /// Sets what is the same for all requests.
  ///
  /// `CURLOPT_ACCEPT_ENCODING` stays unset: with any value, libcurl would decode bodies itself.
  private func configure() {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_NOPROGRESS, 1)
    set(
      CURLOPT_HTTP_VERSION,
      Int(options.usesHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
    )
    if options.usesHTTP2 { set(CURLOPT_PIPEWAIT, 1) }
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
    unsafe complaint.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe curl_set_pointer(easy, CURLOPT_ERRORBUFFER, complaint)
    unsafe curl_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      unsafe handOver(bytes, size * count, context) { $0.takeBody($1) }
    }
    unsafe curl_set_write(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      unsafe handOver(bytes, size * count, context) { $0.takeHead($1) }
    }
  }

  /// A read brings a buffer at least, so under a rate limit they must be small.
  private var bufferSize: Int {
    min(512 * 1024, max(1024, (options.limitRate ?? .max) / 400))
  }

  private func prepare(_ ask: ResponseAsk, url: TransferURL, mirror: TransferURL) {
    unsafe complaint.initialize(repeating: 0, count: 1)
    set(CURLOPT_URL, url.text)
    set(CURLOPT_PROXY, (url.scheme == .https ? options.proxies.https : options.proxies.http) ?? "")
    set(
      CURLOPT_RANGE,
      ask.isRanged ? "\(ask.range.lowerBound)-\(ask.range.upperBound - 1)" : nil
    )
    // Fields are chosen for each URL, so there is nothing to take away from a redirected request.
    let secret = options.credentials.field(for: url, from: mirror)
    fields = secret.map { RequestFields(RequestFields.common + [$0]) } ?? plainFields
    unsafe curl_set_list(easy, CURLOPT_HTTPHEADER, fields.list)
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
