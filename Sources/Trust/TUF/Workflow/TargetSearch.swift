import Manifests

/// The search for a target through delegations (5.6.7, 5.7.1–2): depth first, in the order of the files.
///
/// It is driven as ``MetadataRefresh`` is, with one step more: `read` asks for the stored file of a role, and
/// ``stored(_:)`` takes it. A path must match every delegation on its way; behind a terminating one nothing else is asked,
/// at any level. A role that cannot be verified ends the search with a refusal.
package struct TargetSearch: Sendable {
  /// What the caller does next.
  package enum Step: Sendable {
    /// Look for the stored file of the role.
    case read(RoleName)
    case fetch(MetadataRequest)
    case keep(KeptMetadata)
    /// The target, or that there is none.
    case done(FoundTarget?)
  }

  /// A role that is still to be visited, with the keys of the one that delegates to it.
  private struct Visit {
    let role: DelegatedRole
    let table: KeyTable
    /// The roles that lead to it, from targets on.
    let way: [RoleName]
  }

  private enum Phase {
    case new
    case reading(Visit, TargetsRule)
    case fetching(Visit, TargetsRule, MetadataRequest)
    case keeping(Visit, SignedTargets)
    case done
  }

  private let path: TargetPath
  private let metadata: TrustedMetadata
  private let limits: MetadataLimits
  private var phase = Phase.new
  /// What is still to be visited; the next one stands last.
  private var stack: [Visit] = []
  private var visited: Set<RoleName> = [.targets]

  package init(
    _ path: TargetPath,
    in metadata: TrustedMetadata,
    limits: MetadataLimits = .standard
  ) {
    (self.path, self.metadata, self.limits) = (path, metadata, limits)
  }

  /// Looks into the top-level targets.
  package mutating func start() throws(MetadataRefusal) -> Step {
    guard case .new = phase else { preconditionFailure("a search starts once") }
    return try going { search throws(MetadataRefusal) in
      try search.look(into: search.metadata.targets, way: [.targets])
    }
  }

  /// Takes the stored file that was asked for, or that there is none.
  package mutating func stored(_ bytes: [UInt8]?) throws(MetadataRefusal) -> Step {
    guard case .reading(let visit, let rule) = phase else {
      preconditionFailure("no stored file was asked for")
    }
    return try going { search throws(MetadataRefusal) in
      if let file = rule.acceptStored(bytes) {
        return try search.look(into: file, way: visit.way + [visit.role.name])
      }
      let request = try search.request(for: visit.role.name, facts: rule.facts)
      search.phase = .fetching(visit, rule, request)
      return .fetch(request)
    }
  }

  /// Takes the answer to the request of the step before.
  package mutating func received(_ response: MetadataResponse) throws(MetadataRefusal) -> Step {
    guard case .fetching(let visit, let rule, let request) = phase else {
      preconditionFailure("nothing was asked for")
    }
    let bytes = try response.bytes(of: request, section: "5.6.1")
    let file = try rule.accept(bytes)
    phase = .keeping(visit, file)
    return .keep(KeptMetadata(role: visit.role.name, version: file.version, bytes: bytes))
  }

  /// Goes on after the bytes of the step before have become durable.
  package mutating func kept() throws(MetadataRefusal) -> Step {
    guard case .keeping(let visit, let file) = phase else {
      preconditionFailure("nothing was to be kept")
    }
    return try going { search throws(MetadataRefusal) in
      try search.look(into: file, way: visit.way + [visit.role.name])
    }
  }

  /// Takes a step, or throws and stays where it was.
  private mutating func going(
    _ body: (inout TargetSearch) throws(MetadataRefusal) -> Step
  ) throws(MetadataRefusal) -> Step {
    var next = self
    let step = try body(&next)
    self = next
    return step
  }

  private func request(
    for role: RoleName,
    facts: FileFacts
  ) throws(MetadataRefusal) -> MetadataRequest {
    try MetadataRequest(
      role: role,
      facts: facts,
      isVersioned: metadata.root.contents.usesConsistentSnapshots,
      limit: limits.targets,
      section: "5.6.1"
    )
  }
}

extension TargetSearch {
  /// Looks for the target in a role, and goes on to those that it delegates to.
  private mutating func look(
    into file: SignedTargets,
    way: [RoleName]
  ) throws(MetadataRefusal) -> Step {
    if let target = file.contents.targets[path] {
      phase = .done
      return .done(FoundTarget(path: path, file: target, way: way))
    }
    if let delegations = file.contents.delegations { push(delegations, way: way) }
    return try visitNext()
  }

  /// Puts the matching roles on the stack, none behind a terminating one.
  private mutating func push(_ delegations: Delegations, way: [RoleName]) {
    var children: [Visit] = []
    // Their names differ: the last of so many is one more than a search visits.
    for role in delegations.matching(path).prefix(limits.visitedRoles + 1) {
      children.append(Visit(role: role, table: delegations.keys, way: way))
      guard role.isTerminating else { continue }
      stack = []
      break
    }
    stack += children.reversed()
  }

  private mutating func visitNext() throws(MetadataRefusal) -> Step {
    while let visit = stack.popLast() {
      let name = visit.role.name
      guard !visited.contains(name) else { continue }
      // The top-level role is not counted.
      guard visited.count <= limits.visitedRoles else {
        throw MetadataRefusal(
          section: "5.6.7.1",
          role: name,
          .tooManyRoles(limit: limits.visitedRoles)
        )
      }
      visited.insert(name)
      var rule = try TargetsRule(
        role: name,
        keys: visit.role.keys,
        table: visit.table,
        snapshot: metadata.snapshot.contents,
        now: metadata.comparedTime
      )
      rule.limits = limits
      phase = .reading(visit, rule)
      return .read(name)
    }
    phase = .done
    return .done(nil)
  }
}
