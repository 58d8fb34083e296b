package import Manifests

/// One run of the client workflow (5.1–5.6.6): says what to fetch and what to keep, and moves no bytes itself.
///
///     var refresh = MetadataRefresh(stored: stored, now: now)
///     var step = try refresh.start()
///     while true {
///       switch step {
///       case .fetch(let request): step = try refresh.received(ask(mirror, request))
///       case .keep(let file): store(file); step = try refresh.kept()
///       case .done(let metadata): return metadata
///       }
///     }
///
/// A throw leaves the machine as it was, so that what another mirror answers to the same request may be given next. What
/// was kept before a throw stays kept; nothing is kept before it has passed all its checks.
package struct MetadataRefresh: Sendable {
  /// What the caller does next.
  package enum Step: Sendable {
    case fetch(MetadataRequest)
    /// The bytes must be durable before ``kept()`` is called.
    case keep(KeptMetadata)
    case done(TrustedMetadata)
  }

  private enum Phase {
    case new
    case root(MetadataRequest)
    case rootKept
    case timestamp(MetadataRequest)
    case timestampKept
    case snapshot(MetadataRequest)
    case snapshotKept(SignedSnapshot)
    case targets(MetadataRequest, SignedSnapshot)
    case targetsKept(SignedSnapshot, SignedTargets)
    case done
  }

  private let stored: StoredMetadata
  private let now: Timestamp
  private let limits: MetadataLimits
  private var phase = Phase.new
  private var root: SignedRoot?
  private var newRootCount = 0
  private var timestampFloor: TimestampRule.Floor?
  private var snapshotFloor: SignedSnapshot?
  private var timestamp: SignedTimestamp?

  /// Prepares a run; `now` is its time, read once (5.1).
  package init(stored: StoredMetadata, now: Timestamp, limits: MetadataLimits = .standard) {
    (self.stored, self.now, self.limits) = (stored, now, limits)
  }

  /// Checks the pinned root and those after it (5.2), before anything is asked of a mirror.
  package mutating func start() throws(MetadataRefusal) -> Step {
    guard case .new = phase else { preconditionFailure("a run starts once") }
    var next = self
    next.root = try RootChain(pin: stored.pin, chain: stored.chain, limits: limits).newest
    let step = try next.askForRoot()
    self = next
    return step
  }

  /// Takes the answer to the request of the step before.
  package mutating func received(_ response: MetadataResponse) throws(MetadataRefusal) -> Step {
    var next = self
    let step = try next.advance(response)
    self = next
    return step
  }

  /// Goes on after the bytes of the step before have become durable.
  package mutating func kept() throws(MetadataRefusal) -> Step {
    var next = self
    let step = try next.advance()
    self = next
    return step
  }

  private mutating func advance(_ response: MetadataResponse) throws(MetadataRefusal) -> Step {
    switch phase {
    case .root(let request): try takeRoot(response, to: request)
    case .timestamp(let request): try takeTimestamp(response, to: request)
    case .snapshot(let request): try takeSnapshot(response, to: request)
    case .targets(let request, let snapshot):
      try takeTargets(response, to: request, after: snapshot)
    default: preconditionFailure("nothing was asked for")
    }
  }

  private mutating func advance() throws(MetadataRefusal) -> Step {
    switch phase {
    case .rootKept: try askForRoot()
    case .timestampKept: try goOnToSnapshot()
    case .snapshotKept(let snapshot): try goOnToTargets(snapshot)
    case .targetsKept(let snapshot, let targets): finish(snapshot, targets)
    default: preconditionFailure("nothing was to be kept")
    }
  }

  private var trustedRoot: SignedRoot {
    guard let root else { preconditionFailure("the run has started") }
    return root
  }

  private var trustedTimestamp: SignedTimestamp {
    guard let timestamp else { preconditionFailure("the timestamp comes before the snapshot") }
    return timestamp
  }
}

// The root (5.3).
extension MetadataRefresh {
  private mutating func askForRoot() throws(MetadataRefusal) -> Step {
    let version = trustedRoot.version
    guard newRootCount < limits.newRoots, version < Int.max else { return try endRootWalk() }
    let request = MetadataRequest(role: .root, version: version + 1, limit: limits.root)
    phase = .root(request)
    return .fetch(request)
  }

  private mutating func takeRoot(
    _ response: MetadataResponse,
    to request: MetadataRequest
  ) throws(MetadataRefusal) -> Step {
    // That there is no next root is how the walk ends (5.3.3).
    if response == .absent { return try endRootWalk() }
    let bytes = try response.bytes(of: request, section: "5.3.3")
    let next = try RootRule.accept(bytes, after: trustedRoot, limits: limits)
    root = next
    newRootCount += 1
    phase = .rootKept
    return .keep(KeptMetadata(role: .root, version: next.version, bytes: bytes))
  }

  private mutating func endRootWalk() throws(MetadataRefusal) -> Step {
    try RootRule.requireUnexpired(trustedRoot, at: now)
    let keys = trustedRoot.contents
    snapshotFloor = SnapshotRule.floor(stored.snapshot, root: keys, limits: limits)
    // A snapshot that is damaged or lost is no sign of new keys.
    let hasNewKeys =
      snapshotFloor == nil
      && SnapshotRule.hasFormerKeys(stored.snapshot, root: keys, limits: limits)
    timestampFloor = timestampRule.floor(stored.timestamp).map {
      TimestampRule.Floor(timestamp: $0, bindsSnapshot: !hasNewKeys)
    }
    let request = MetadataRequest(role: .timestamp, version: nil, limit: limits.timestamp)
    phase = .timestamp(request)
    return .fetch(request)
  }
}

// The timestamp (5.4).
extension MetadataRefresh {
  private var timestampRule: TimestampRule {
    var rule = TimestampRule(root: trustedRoot.contents, now: now)
    rule.limits = limits
    return rule
  }

  private mutating func takeTimestamp(
    _ response: MetadataResponse,
    to request: MetadataRequest
  ) throws(MetadataRefusal) -> Step {
    let bytes = try response.bytes(of: request, section: "5.4.1")
    let accepted = try timestampRule.accept(bytes, after: timestampFloor)
    timestamp = accepted
    // The one before is kept where the new one has its version. A run that died must still fetch the rest.
    if accepted.version == timestampFloor?.timestamp.version { return try goOnToSnapshot() }
    phase = .timestampKept
    return .keep(KeptMetadata(role: .timestamp, version: accepted.version, bytes: bytes))
  }
}

// The snapshot (5.5).
extension MetadataRefresh {
  private var snapshotRule: SnapshotRule {
    var rule = SnapshotRule(
      root: trustedRoot.contents,
      facts: trustedTimestamp.contents.snapshot,
      now: now
    )
    rule.limits = limits
    return rule
  }

  private mutating func goOnToSnapshot() throws(MetadataRefusal) -> Step {
    let rule = snapshotRule
    if let snapshot = rule.acceptStored(stored.snapshot, after: snapshotFloor) {
      return try goOnToTargets(snapshot)
    }
    let request = try MetadataRequest(
      role: .snapshot,
      facts: rule.facts,
      isVersioned: trustedRoot.contents.usesConsistentSnapshots,
      limit: limits.snapshot,
      section: "5.5.1"
    )
    phase = .snapshot(request)
    return .fetch(request)
  }

  private mutating func takeSnapshot(
    _ response: MetadataResponse,
    to request: MetadataRequest
  ) throws(MetadataRefusal) -> Step {
    let bytes = try response.bytes(of: request, section: "5.5.1")
    let snapshot = try snapshotRule.accept(bytes, after: snapshotFloor)
    phase = .snapshotKept(snapshot)
    return .keep(KeptMetadata(role: .snapshot, version: snapshot.version, bytes: bytes))
  }
}

// The top-level targets (5.6.1–6).
extension MetadataRefresh {
  private func targetsRule(
    after snapshot: SignedSnapshot
  ) throws(MetadataRefusal) -> TargetsRule {
    var rule = try TargetsRule(
      role: .targets,
      keys: trustedRoot.contents.targets,
      table: trustedRoot.contents.keys,
      snapshot: snapshot.contents,
      now: now
    )
    rule.limits = limits
    return rule
  }

  private mutating func goOnToTargets(
    _ snapshot: SignedSnapshot
  ) throws(MetadataRefusal) -> Step {
    let rule = try targetsRule(after: snapshot)
    if let targets = rule.acceptStored(stored.targets) { return finish(snapshot, targets) }
    let request = try MetadataRequest(
      role: .targets,
      facts: rule.facts,
      isVersioned: trustedRoot.contents.usesConsistentSnapshots,
      limit: limits.targets,
      section: "5.6.1"
    )
    phase = .targets(request, snapshot)
    return .fetch(request)
  }

  private mutating func takeTargets(
    _ response: MetadataResponse,
    to request: MetadataRequest,
    after snapshot: SignedSnapshot
  ) throws(MetadataRefusal) -> Step {
    let bytes = try response.bytes(of: request, section: "5.6.1")
    let targets = try targetsRule(after: snapshot).accept(bytes)
    phase = .targetsKept(snapshot, targets)
    return .keep(KeptMetadata(role: .targets, version: targets.version, bytes: bytes))
  }

  private mutating func finish(_ snapshot: SignedSnapshot, _ targets: SignedTargets) -> Step {
    phase = .done
    return .done(
      TrustedMetadata(
        root: trustedRoot,
        timestamp: trustedTimestamp,
        snapshot: snapshot,
        targets: targets,
        now: now
      )
    )
  }
}
