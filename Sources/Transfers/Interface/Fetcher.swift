import Dispatch
package import SystemFiles

/// Fetches files from mirrors that nobody has to trust, and gives only bytes that are verified.
///
///     let fetcher = Fetcher(options: options)
///     let report = try await fetcher.fetch(requests, into: staging) { show($0) }
///     // now staging has <name>.part for each request: whole, right, synced; the caller renames it
///
/// A part that an earlier run left is used as far as its bytes are right. libcurl and all waiting run on a
/// thread of their own. Cancelling the task ends a fetch within a second; what was verified stays.
package struct Fetcher: Sendable {
  let options: FetchOptions

  package init(options: FetchOptions) { self.options = options }

  /// Brings each file into its part in `folder`, verified and synced.
  ///
  /// The caller sees to it that no other process works on the same parts. Takes at most 48 MiB for the bytes of chunks,
  /// and what libcurl needs for each connection.
  /// - Parameters:
  ///   - files: The files, fetched in this order.
  ///   - folder: Where `<name>.part` and, meanwhile, `<name>.journal` stand.
  ///   - report: Called on the engine's threads; must return soon.
  /// - Returns: What each mirror did.
  /// - Throws: ``FetchError``, with the report of what each mirror did.
  package func fetch(
    _ files: [FetchRequest],
    into folder: borrowing Folder,
    report: @escaping @Sendable (FetchEvent) -> Void
  ) async throws(FetchError) -> FetchReport {
    let parts: PartFolder
    do {
      try options.checkAuthorities()
      parts = try PartFolder(folder)
    } catch {
      throw FetchError(
        kind: .local(error),
        label: files.first?.label ?? "",
        report: FetchReport()
      )
    }
    let options = options
    return try await onOwnThread { stop throws(FetchError) in
      let run = FetchRun(files, into: parts, options: options, stop: stop, report: report)
      return try run.perform()
    }
  }

  /// Fetches a small document, such as a manifest, that is verified by other means than its digest.
  ///
  /// The rules for answers, redirects and clocks are those of files. A fault that may pass is met with two more
  /// attempts, unless the pause before them would last beyond the time to give up.
  /// - Parameters:
  ///   - url: An absolute `https`, `http` or `file` URL.
  ///   - limit: The most bytes that are taken, whatever the server announces.
  /// - Returns: The bytes of the document.
  /// - Throws: ``FetchError`` with the one mirror's line in its report.
  package func fetchDocument(
    _ url: String,
    limit: Int
  ) async throws(FetchError) -> [UInt8] {
    do {
      try options.checkAuthorities()
    } catch {
      throw FetchError(kind: .local(error), label: redact(url), report: FetchReport())
    }
    let options = options
    return try await onOwnThread { stop throws(FetchError) in
      try DocumentFetch(url, limit: limit, options: options, stop: stop).perform()
    }
  }
}

/// Runs `body` on a new thread; cancelling the task stops the signal that it gets.
func onOwnThread<Value: Sendable>(
  _ body: @escaping @Sendable (StopSignal) throws(FetchError) -> Value
) async throws(FetchError) -> Value {
  let stop = StopSignal()
  let result: Result<Value, FetchError> = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "sealift.transfers").async {
        do throws(FetchError) {
          continuation.resume(returning: .success(try body(stop)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
  } onCancel: {
    stop.stop()
  }
  return try result.get()
}
