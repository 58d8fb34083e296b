import Digests
import SystemFiles
import Synchronization
import TestSupport
import Testing
import Transfers

/// A file with its true bytes and chunk table, and the parts of a fetch of it in the test's own folder.
struct Shipment {
  static let path = "/blobs/weights.gguf"
  static let chunkLength = 256 * 1024

  static let size = 12 * chunkLength + 123

  private static let trueBytes = SampleBytes(seed: 7).prefix(size)
  private static let trueDigest = SHA256Digest(of: trueBytes)
  private static let table: ChunkTable = {
    var chunks = ChunkTable()
    for start in stride(from: 0, to: size, by: chunkLength) {
      let piece = Array(trueBytes[start..<min(size, start + chunkLength)])
      chunks.append(length: piece.count, digest: SHA256Digest(of: piece))
    }
    return chunks
  }()

  let bytes = Self.trueBytes
  let digest = Self.trueDigest
  let chunks = Self.table
  var options = Self.patient

  /// Clocks that a loaded machine does not outlast.
  static let patient: FetchOptions = {
    var options = FetchOptions()
    options.clocks.firstByte = .seconds(30)
    options.clocks.idle = .seconds(30)
    options.userAgent = "sealift/0.0"
    options.jobs = 1
    return options
  }()

  /// The same file with clocks that show silence soon, and an early end where no mirror serves.
  static let hasty: Shipment = {
    var shipment = Shipment()
    shipment.options.clocks.firstByte = .milliseconds(1500)
    shipment.options.clocks.idle = .milliseconds(1500)
    shipment.options.clocks.longest = .milliseconds(1500)
    shipment.options.clocks.giveUp = .seconds(1)
    return shipment
  }()

  func mirror(_ fault: Fault = .honest) throws -> FaultyMirror {
    try FaultyMirror(files: [Self.path: bytes], fault)
  }

  /// A mirror that is wrong, and an honest one that answers after the other was asked.
  func mirrors(_ fault: Fault) throws -> (bad: FaultyMirror, good: FaultyMirror) {
    let (bad, good) = (try mirror(fault), try mirror())
    good.answer(after: bad)
    return (bad, good)
  }

  func request(from urls: [String], hasChunks: Bool = true) -> FetchRequest {
    FetchRequest(
      label: "weights.gguf",
      name: "0",
      size: bytes.count,
      digest: digest,
      chunks: hasChunks ? chunks : nil,
      sources: urls.map { FetchSource(mirror: $0, url: $0 + Self.path) }
    )
  }

  /// Fetches from mirrors at these URLs and gives what was reported.
  func fetch(
    from urls: [String],
    hasChunks: Bool = true,
    _ note: @escaping @Sendable (FetchEvent) -> Void = { _ in }
  ) async throws -> Outcome {
    let folder = try Folder(path: TemporaryFolder.current)
    let events = EventLog()
    do {
      let report = try await Fetcher(options: options)
        .fetch([request(from: urls, hasChunks: hasChunks)], into: folder) { event in
          events.add(event)
          note(event)
        }
      return Outcome(report: report, error: nil, events: events.all)
    } catch {
      return Outcome(report: error.report, error: error.kind, events: events.all)
    }
  }

  /// The bytes of the part; nil if there is none.
  func part() throws -> [UInt8]? {
    try Folder(path: TemporaryFolder.current).readFile("0.part", limit: 1 << 30)
  }

  /// Leaves a part with these bytes from its start, as a run does that was killed.
  func leavePart(_ bytes: [UInt8]) throws {
    let file = try Folder(path: TemporaryFolder.current).createFile("0.part", mode: 0o600)
    try file.write(bytes.span, at: 0)
    try file.preallocate(self.bytes.count)
  }

  /// Leaves a journal that claims these chunks, or bytes.
  func leaveJournal(_ claims: [Int], hasChunks: Bool = true) throws {
    let journal = PartJournal(for: request(from: [], hasChunks: hasChunks))
    let bytes = claims.reduce(journal.header) { $0 + journal.record($1) }
    let file = try Folder(path: TemporaryFolder.current).createFile("0.journal", mode: 0o600)
    try file.write(bytes.span, at: 0)
  }

  /// The bytes of the first chunks.
  func chunks(_ count: Int) -> [UInt8] { Array(bytes.prefix(count * Self.chunkLength)) }
}

/// What came of a fetch.
struct Outcome {
  let report: FetchReport
  let error: FetchError.Kind?
  let events: [FetchEvent]

  /// The faults of the mirror at this place in the order of preference.
  func faults(of mirror: Int) -> [MirrorFault] {
    let name = report.mirrors[mirror].name
    return events.compactMap { event in
      guard case .mirrorFault(_, name, let fault) = event else { return nil }
      return fault
    }
  }

  var progress: [FetchProgress] {
    events.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
  }

  var resumed: Int {
    events.reduce(0) { if case .resumed(_, let bytes) = $1 { $0 + bytes } else { $0 } }
  }
}

final class EventLog: Sendable {
  private let events = Mutex<[FetchEvent]>([])

  var all: [FetchEvent] { events.withLock { $0 } }
  func add(_ event: FetchEvent) { events.withLock { $0.append(event) } }
}
