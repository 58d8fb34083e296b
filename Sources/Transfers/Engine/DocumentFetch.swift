/// Fetches one small document, and reports what its mirror did.
final class DocumentFetch {
  private let ask: DocumentAsk
  private let reader: DocumentReader
  private var mirror: FetchReport.Mirror

  init(_ url: String, limit: Int, options: FetchOptions, stop: StopSignal) {
    ask = DocumentAsk(url, limit: limit)
    reader = DocumentReader(options: options, stop: stop)
    mirror = FetchReport.Mirror(name: redact(url))
  }

  func perform() throws(FetchError) -> [UInt8] {
    let bytes: [UInt8]?
    do {
      bytes = try reader.read(ask) { fault in
        mirror.faults[fault.kind, default: 0] += 1
        mirror.lastFault = fault
      }
    } catch {
      throw self.error(FetchError.Kind(faults: [error]))
    }
    guard let bytes else { throw error(.cancelled) }
    return bytes
  }

  private func error(_ kind: FetchError.Kind) -> FetchError {
    var report = FetchReport()
    report.mirrors = [mirror]
    return FetchError(kind: kind, label: mirror.name, report: report)
  }
}
