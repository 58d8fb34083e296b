/// A small document to ask one mirror for.
package struct DocumentAsk: Hashable, Sendable {
  /// An absolute `https`, `http` or `file` URL.
  package let url: String
  /// The most bytes that are taken, whatever the server announces.
  package let limit: Int
  /// The name of the document, which says whether a page may be what is wanted.
  package var label = ""
  /// The requests made before a fault that may pass is taken as final, at least 1.
  package var attempts = 3
  /// The time for all of it, with every attempt and redirect; nil for as long as bytes keep coming.
  package var time: Duration?

  package init(_ url: String, limit: Int) {
    self.url = url
    self.limit = limit
  }
}

/// Fetches small documents one after the other, which are verified by other means than their digests.
///
/// The rules for answers, redirects and clocks are those by which files are fetched. Connections stay open from one
/// document to the next.
package final class DocumentReader {
  private let options: FetchOptions
  private let stop: StopSignal
  private let http: HTTPClient
  private let now: () -> Duration

  init(options: FetchOptions, stop: StopSignal) {
    self.options = options
    self.stop = stop
    let start = SuspendingClock.now
    now = { start.duration(to: .now) }
    http = HTTPClient(options: options, stop: stop, now: now)
  }

  /// Whether the task was cancelled for which this reads.
  package var isStopped: Bool { stop.isStopped }

  /// Asks for a document, blocking the thread until it is there.
  ///
  /// A fault that may pass is met with another attempt, unless the pause before it would last beyond the time that there
  /// is.
  /// - Parameters:
  ///   - ask: What to ask for.
  ///   - note: Called with each fault, the last one too.
  /// - Returns: The bytes; nil if the task was cancelled.
  /// - Throws: The fault of the last attempt.
  package func read(
    _ ask: DocumentAsk,
    note: (MirrorFault) -> Void = { _ in }
  ) throws(MirrorFault) -> [UInt8]? {
    let end = ask.time.map { now() + $0 }
    let lastPause = now() + min(options.clocks.giveUp, ask.time ?? options.clocks.giveUp)
    var attempt = 0
    while !stop.isStopped {
      let document = Document()
      do throws(MirrorFault) {
        switch try request(ask, until: end, into: document) {
        case .complete: return document.bytes
        case .redirect, .stopped, .cancelled: return nil
        case .fault(let fault): throw fault
        }
      } catch {
        note(error)
        guard attempt + 1 < ask.attempts, let pause = pause(after: error, attempt),
          now() + pause < lastPause
        else { throw error }
        http.wait(until: now() + pause)
        attempt += 1
      }
    }
    return nil
  }

  /// Makes one request, and those to which it leads.
  private func request(
    _ ask: DocumentAsk,
    until end: Duration?,
    into document: Document
  ) throws(MirrorFault) -> ExchangeEnd {
    let url = try TransferURL(ask.url)
    let response = ResponseAsk(documentLimit: ask.limit, label: ask.label)
    if let path = url.filePath {
      let local = try LocalTransfer(response, path: path, into: document)
      while true {
        if stop.isStopped { return .cancelled }
        if let end = local.pump(.max) { return end }
      }
    }
    var route = Route(to: url, remembered: nil, allowsDowngrade: options.allowsDowngrade)
    while true {
      let result = http.perform(
        response,
        at: route,
        into: document,
        clocks: options.clocks,
        whole: end.map { max(.zero, $0 - now()) }
      )
      guard try route.goesOn(after: result) else { return timed(result, ask) }
    }
  }

  /// What ran out is the time for all of it, not what was left of that for the last request.
  private func timed(_ end: ExchangeEnd, _ ask: DocumentAsk) -> ExchangeEnd {
    guard case .fault(.timedOut(.whole, _)) = end, let time = ask.time else { return end }
    return .fault(.timedOut(.whole, after: time))
  }

  /// How long to wait before the next attempt; nil if it would be in vain.
  private func pause(after fault: MirrorFault, _ attempt: Int) -> Duration? {
    let roll = Double.random(in: 0..<1)
    switch fault.reaction {
    case .cool: return BackOff.transient(failures: attempt, roll: roll)
    case .throttle(let asked):
      let pause = BackOff.throttled(failures: attempt, asked: asked, roll: roll)
      return pause <= BackOff.longestPause ? pause : nil
    default: return nil
    }
  }
}

extension Fetcher {
  /// Runs `body` on a thread of its own with a reader; cancelling the task stops the reader.
  ///
  /// - Throws: ``FetchError`` of the kind `local` for certificate authorities that cannot be read, and what `body` throws.
  package func withDocuments<Value: Sendable>(
    _ body: @escaping @Sendable (DocumentReader) throws -> Value
  ) async throws -> Value {
    do {
      try options.checkAuthorities()
    } catch {
      throw FetchError(kind: .local(error), label: "", report: FetchReport())
    }
    let options = options
    let result: Result<Value, any Error> = try await onOwnThread { stop throws(FetchError) in
      Result { try body(DocumentReader(options: options, stop: stop)) }
    }
    return try result.get()
  }
}

/// Keeps the body of a document; the exchange counts the bytes and stops at the limit.
private final class Document: BodySink {
  private(set) var bytes: [UInt8] = []

  func begin(_ range: Range<Int>) { bytes = [] }

  func take(_ bytes: Span<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { unsafe self.bytes.append(contentsOf: $0) }
    return true
  }
}
