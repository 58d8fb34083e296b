package import Manifests
package import Trust

/// A client in memory: drives the workflow against a simulated repository and keeps what it is told to keep.
package struct SimulatedClient: Sendable {
  package var stored: StoredMetadata
  /// The files of delegated roles.
  package var roles: [RoleName: [UInt8]] = [:]
  /// The names of all files that were asked for, in their order.
  package private(set) var requests: [String] = []
  package var limits = MetadataLimits.standard

  package init(pin: [UInt8]) { stored = StoredMetadata(pin: pin) }

  /// The newest root that is stored.
  package var root: [UInt8] { stored.chain.last ?? stored.pin }

  /// Forgets which files were asked for.
  package mutating func forgetRequests() { requests = [] }

  /// One run of the workflow; what was kept before a refusal stays.
  @discardableResult
  package mutating func refresh(
    _ repository: RepositorySimulator,
    at now: Timestamp = RepositorySimulator.now
  ) throws(MetadataRefusal) -> TrustedMetadata {
    var machine = MetadataRefresh(stored: stored, now: now, limits: limits)
    var step = try machine.start()
    while true {
      switch step {
      case .fetch(let request):
        requests.append(request.name)
        step = try machine.received(repository.answer(request))
      case .keep(let file):
        keep(file)
        step = try machine.kept()
      case .done(let metadata): return metadata
      }
    }
  }

  /// Looks for a target; the roles on the way are kept.
  package mutating func find(
    _ path: TargetPath,
    in metadata: TrustedMetadata,
    of repository: RepositorySimulator
  ) throws(MetadataRefusal) -> FoundTarget? {
    var machine = TargetSearch(path, in: metadata, limits: limits)
    var step = try machine.start()
    while true {
      switch step {
      case .read(let role): step = try machine.stored(roles[role])
      case .fetch(let request):
        requests.append(request.name)
        step = try machine.received(repository.answer(request))
      case .keep(let file):
        keep(file)
        step = try machine.kept()
      case .done(let target): return target
      }
    }
  }

  private mutating func keep(_ file: KeptMetadata) {
    switch file.role {
    case .root: stored.chain.append(file.bytes)
    case .timestamp: stored.timestamp = file.bytes
    case .snapshot: stored.snapshot = file.bytes
    case .targets: stored.targets = file.bytes
    default: roles[file.role] = file.bytes
    }
  }
}
