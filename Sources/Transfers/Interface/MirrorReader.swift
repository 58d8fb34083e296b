/// Reads parts of files back from mirrors, one request after the other, and tells what came and how.
///
/// The rules for answers, redirects and clocks are those by which files are fetched. Bodies are hashed as they come and
/// kept nowhere, so that memory does not grow with files. Nothing is tried twice: what a mirror does once is told.
package final class MirrorReader {
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

  /// Asks for the pieces of a file and hashes each.
  ///
  /// Blocks the thread until they came, or the mirror failed. An answer that brings less than was asked is followed by
  /// a request for the rest.
  /// - Parameters:
  ///   - ask: The pieces, and what is known of the file.
  ///   - url: An absolute `https`, `http` or `file` URL.
  ///   - note: Called with the count of bytes that came, again and again.
  /// - Returns: What came, and the fault that ended it.
  package func read(
    _ ask: PieceAsk,
    from url: String,
    note: @escaping (Int) -> Void = { _ in }
  ) -> MirrorReading {
    let hasher = PieceHasher(ask.pieces, now: now, note: note)
    var reading = MirrorReading()
    do throws(MirrorFault) {
      let url = try TransferURL(url)
      repeat {
        let start = hasher.position
        hasher.requestBegins()
        let end = try request(ask.request(from: start), url, hasher, &reading)
        if case .fault(let fault) = end { throw fault }
        reading.isCancelled = if case .cancelled = end { true } else { false }
        // What brings nothing would be asked for ever.
        if !hasher.isDone, hasher.position == start, !reading.isCancelled {
          throw MirrorFault.closedEarly(received: 0, expected: ask.end - start)
        }
      } while !hasher.isDone && !reading.isCancelled
    } catch {
      reading.fault = error
    }
    reading.take(hasher)
    return reading
  }

  /// Makes one request, and those to which it leads.
  private func request(
    _ ask: ResponseAsk,
    _ url: TransferURL,
    _ hasher: PieceHasher,
    _ reading: inout MirrorReading
  ) throws(MirrorFault) -> ExchangeEnd {
    if let path = url.filePath {
      let local = try LocalTransfer(ask, path: path, into: hasher)
      while true {
        if stop.isStopped { return .cancelled }
        if let end = local.pump(.max) { return end }
      }
    }
    var route = Route(to: url, remembered: nil, allowsDowngrade: options.allowsDowngrade)
    defer { if route.hops.count > reading.hops.count { reading.hops = route.hops } }
    while true {
      let end = http.perform(ask, at: route, into: hasher, clocks: options.clocks)
      guard try route.goesOn(after: end) else {
        if ask.isRanged, let answer = hasher.answer, answer != ask.range,
          answer.upperBound > ask.range.upperBound
        {
          reading.ignoresRanges = true
        }
        return end
      }
    }
  }
}

extension Fetcher {
  /// Runs `body` on a thread of its own with a reader; cancelling the task stops the reader.
  ///
  /// - Throws: ``FetchError`` of the kind `local` for certificate authorities that cannot be read.
  package func withReader<Value: Sendable>(
    _ body: @escaping @Sendable (MirrorReader) -> Value
  ) async throws(FetchError) -> Value {
    do {
      try options.checkAuthorities()
    } catch {
      throw FetchError(kind: .local(error), label: "", report: FetchReport())
    }
    let options = options
    return try await onOwnThread { stop throws(FetchError) in
      body(MirrorReader(options: options, stop: stop))
    }
  }
}
