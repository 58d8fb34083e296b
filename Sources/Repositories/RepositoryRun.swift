import Manifests
import Trust

/// Carries out what the machines of the workflow say: asks mirrors, keeps files, decides nothing about their contents.
///
/// With several mirrors, the newest of their timestamps counts. Every other file comes from the mirror that had it, or
/// from the next one that gives what the same expectations let pass; who serves in place of one that failed is asked first
/// from then on. The walk of the roots ends where no mirror gives the next one and one says that it has none.
struct RepositoryRun<Source: FileSource> {
  let source: Source
  private let folder: RepositoryFolder
  /// The mirror to ask first.
  var preferred: Int
  /// Whether nothing was ever received, in this run or in one before.
  private(set) var isNew = false
  /// What went wrong with mirrors without ending the run.
  var troubles: [MirrorTrouble] = []

  init(_ source: Source, _ folder: RepositoryFolder, preferred: Int = 0) {
    self.source = source
    self.folder = folder
    self.preferred = preferred
  }

  /// Follows the repository from the pinned root to its present state.
  ///
  /// Each file is kept as soon as it passed its checks, also when a later one is refused.
  mutating func refresh(pin: [UInt8], now: Timestamp) throws -> TrustedMetadata {
    let stored = try folder.stored(pin: pin)
    isNew = stored.timestamp == nil && stored.chain.isEmpty
    var machine = MetadataRefresh(stored: stored, now: now)
    var step: MetadataRefresh.Step
    do throws(MetadataRefusal) { step = try machine.start() } catch {
      throw RepositoryFault.badPin(error)
    }
    var file: String?
    while true {
      switch step {
      case .fetch(let request):
        file = request.name
        step =
          request.role == .timestamp
          ? try askEvery(request, &machine) : try ask(request, &machine)
      case .keep(let metadata):
        try folder.keep(metadata)
        isNew = false
        step = try refusing(file) { () throws(MetadataRefusal) in try machine.kept() }
      case .done(let trusted):
        try keepRoot(of: trusted)
        return trusted
      }
    }
  }

  /// A run that was killed between the two copies of a root, or a first run, leaves another one than is trusted.
  private func keepRoot(of trusted: TrustedMetadata) throws {
    let bytes = trusted.root.bytes
    guard try folder.bytes(of: .root) != bytes else { return }
    try folder.keepCurrentRoot(bytes)
  }

  /// Looks for a target, loading those delegated roles that lead to it.
  mutating func find(_ path: TargetPath, in trusted: TrustedMetadata) throws -> FoundTarget? {
    var search = TargetSearch(path, in: trusted)
    var file: String?
    var step = try refusing(file) { () throws(MetadataRefusal) in try search.start() }
    while true {
      switch step {
      case .read(let role):
        let bytes = try folder.bytes(of: role)
        step = try refusing(file) { () throws(MetadataRefusal) in try search.stored(bytes) }
      case .fetch(let request):
        file = request.name
        step = try ask(request, &search)
      case .keep(let metadata):
        try folder.keep(metadata)
        step = try refusing(file) { () throws(MetadataRefusal) in try search.kept() }
      case .done(let found):
        return found
      }
    }
  }

  /// The bytes of a target: those that are kept if they are still right, else those that a mirror gives.
  mutating func document(
    _ target: FoundTarget,
    in trusted: TrustedMetadata,
    limit: Int
  ) throws -> [UInt8] {
    let (path, length) = (target.path, target.file.length)
    guard length <= limit else {
      throw RepositoryFault.longTarget(path, length: length, limit: limit)
    }
    if let kept = try folder.document(path, limit: length), isRight(kept, target) { return kept }
    let place = try refusing(nil) { () throws(MetadataRefusal) in
      try target.requestPath(in: trusted)
    }
    let bytes = try fetch(target, at: place)
    try folder.keep(bytes, of: path)
    return bytes
  }

  private mutating func fetch(_ target: FoundTarget, at place: String) throws -> [UInt8] {
    var asking = Asking(place)
    for mirror in order {
      let name = source.mirrors[mirror]
      let answer = try source.read(.target(place), limit: target.file.length, from: mirror)
      guard let bytes = asking.take(answer, from: name) else { continue }
      do throws(MetadataRefusal) {
        try target.file.check(bytes, path: target.path)
        troubles += asking.troubles
        if asking.isFailed { preferred = mirror }
        return bytes
      } catch {
        asking.take(error, from: name)
      }
    }
    throw asking.refusal != nil || asking.isTooLong
      ? RepositoryFault.wrongTarget(target.path, troubles: asking.troubles)
      : RepositoryFault.unreachable(file: place, troubles: asking.troubles)
  }

  /// Runs a step of a machine; when it refuses, says of which file it was and what mirrors did until then.
  func refusing<Value>(
    _ file: String?,
    _ body: () throws(MetadataRefusal) -> Value
  ) throws -> Value {
    do throws(MetadataRefusal) {
      return try body()
    } catch {
      throw RepositoryFault.refused(error, file: file, troubles: troubles)
    }
  }

  private func isRight(_ bytes: [UInt8], _ target: FoundTarget) -> Bool {
    do {
      try target.file.check(bytes, path: target.path)
      return true
    } catch {
      return false
    }
  }
}
