package import Transfers

/// Mirrors that are asked over the network or on this machine, one after the other.
struct MirrorSource: FileSource {
  private let bases: [RepositoryMirror]
  private let reader: DocumentReader
  private let clocks: RepositoryClocks

  init(_ bases: [RepositoryMirror], _ reader: DocumentReader, _ clocks: RepositoryClocks) {
    self.bases = bases
    self.reader = reader
    self.clocks = clocks
  }

  var mirrors: [String] { bases.map(\.name) }

  func read(_ place: FilePlace, limit: Int, from mirror: Int) throws -> FileAnswer {
    var ask = DocumentAsk(url(of: place, at: bases[mirror]), limit: limit)
    ask.time = clocks.file
    // Where there is another mirror, that is asked instead of the same once more.
    ask.attempts = bases.count == 1 ? 2 : 1
    if case .target(let path) = place { ask.label = path }
    let bytes: [UInt8]?
    do { bytes = try reader.read(ask) } catch { return answer(for: error) }
    guard let bytes else { throw CancellationError() }
    return .bytes(bytes)
  }

  private func url(of place: FilePlace, at mirror: RepositoryMirror) -> String {
    switch place {
    case .metadata(let name): mirror.metadata + name
    case .target(let path): mirror.targets + path
    }
  }

  private func answer(for fault: MirrorFault) -> FileAnswer {
    if fault.isAbsence { return .absent(fault) }
    if case .tooLong = fault { return .tooLong(fault) }
    return .failed(fault)
  }
}

extension MirrorFault {
  /// Whether the mirror says that it has no such file.
  ///
  /// That is 404, 410, and on this machine no such file. Object stores that do not list what they have answer 403 for a
  /// file that they do not have.
  var isAbsence: Bool {
    if case .denied(status: 403) = self { return true }
    return kind == .missing
  }
}

/// How long metadata and targets are waited for.
package struct RepositoryClocks: Hashable, Sendable {
  /// Until a connection stands.
  package var connect: Duration = .seconds(10)
  /// While nothing, or next to nothing, comes.
  package var silence: Duration = .seconds(30)
  /// For one file in all, from one mirror.
  package var file: Duration = .seconds(60)

  package init() {}

  /// The options with these clocks.
  ///
  /// Shorter ones stay that a person has asked for: nothing is waited for longer than `giveUp`, and silence no longer
  /// than a clock that is not the usual one.
  package func applied(to options: FetchOptions) -> FetchOptions {
    let usual = FetchClocks()
    var options = options
    let silence = min(silence, options.clocks.giveUp)
    options.clocks.connect = min(options.clocks.connect, connect)
    if options.clocks.firstByte >= usual.firstByte { options.clocks.firstByte = silence }
    if options.clocks.idle >= usual.idle { options.clocks.idle = silence }
    options.clocks.giveUp = min(options.clocks.giveUp, file)
    return options
  }
}
