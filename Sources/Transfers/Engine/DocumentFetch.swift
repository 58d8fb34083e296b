/// Fetches one small document into memory.
final class DocumentFetch {
  /// The requests made before a fault that may pass is taken as final.
  private static let attempts = 3

  private let url: String
  private let limit: Int
  private let options: FetchOptions
  private let stop: StopSignal
  private let now: () -> Duration
  private var mirror: FetchReport.Mirror

  init(_ url: String, limit: Int, options: FetchOptions, stop: StopSignal) {
    self.url = url
    self.limit = limit
    self.options = options
    self.stop = stop
    mirror = FetchReport.Mirror(name: redact(url))
    let start = SuspendingClock.now
    now = { start.duration(to: .now) }
  }

  func perform() throws(FetchError) -> [UInt8] {
    let http = HTTPClient(options: options, stop: stop, now: now)
    for attempt in 0..<Self.attempts {
      let document = Document()
      do {
        switch try ask(http, into: document) {
        case .complete: return document.bytes
        case .redirect, .stopped, .cancelled: throw error(.cancelled)
        case .fault(let fault): throw fault
        }
      } catch let fault as MirrorFault {
        mirror.faults[fault.kind, default: 0] += 1
        mirror.lastFault = fault
        guard attempt + 1 < Self.attempts, let pause = pause(after: fault, attempt),
          now() + pause < options.clocks.giveUp
        else {
          throw error(FetchError.Kind(faults: [fault]))
        }
        http.wait(until: now() + pause)
      } catch {
        throw self.error(.cancelled)
      }
    }
    throw error(.network)
  }

  private func ask(_ http: HTTPClient, into document: Document) throws(MirrorFault) -> ExchangeEnd {
    let url = try TransferURL(url)
    let ask = ResponseAsk(documentLimit: limit)
    if let path = url.filePath {
      let local = try LocalTransfer(ask, path: path, into: document)
      while true {
        if stop.isStopped { return .cancelled }
        if let end = local.pump(.max) { return end }
      }
    }
    var route = Route(to: url, remembered: nil, allowsDowngrade: options.allowsDowngrade)
    while true {
      let end = http.perform(ask, at: route, into: document, clocks: options.clocks)
      guard try route.goesOn(after: end) else { return end }
    }
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

  private func error(_ kind: FetchError.Kind) -> FetchError {
    var report = FetchReport()
    report.mirrors = [mirror]
    return FetchError(kind: kind, label: mirror.name, report: report)
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
