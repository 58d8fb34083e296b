import Digests
package import Manifests
import StrictJSON
package import Trust

/// A repository in memory that signs whatever it is told with whatever keys, right or wrong.
///
///     var repository = try RepositorySimulator()
///     repository.targets.targets[path] = TargetFile(of: bytes)
///     try repository.release()
///     var client = SimulatedClient(pin: repository.files["1.root.json"])
///     let metadata = try client.refresh(repository)
///
/// The values are those that the next publication signs; `files` are what mirrors serve, and may be changed too.
package struct RepositorySimulator: Sendable {
  /// The time at which everything happens.
  package static let now = time(0)

  /// So many seconds later.
  package static func time(_ seconds: Int64) -> Timestamp {
    guard let time = Timestamp(seconds: 1_800_000_000 + seconds) else {
      preconditionFailure("a time")
    }
    return time
  }

  package static let day: Int64 = 86_400

  package var root: RootMetadata
  package var timestamp: TimestampMetadata
  package var snapshot: SnapshotMetadata
  package var targets: TargetsMetadata
  package var delegated: [RoleName: TargetsMetadata] = [:]
  /// Who signs each role; a role that is not here is signed by the keys of targets.
  package var signers: [RoleName: [SimulatedKey]]
  /// Who signs roots besides: the keys of the roots before.
  package var formerRootSigners: [SimulatedKey] = []
  /// Whether timestamp and snapshot list length and digests.
  package var listsDigests = true
  /// The files of metadata by the last part of their URL.
  package var files: [String: [UInt8]] = [:]
  /// Answers in place of files.
  package var answers: [String: MetadataResponse] = [:]

  /// A repository with one key for all roles, or one for each, that has published version 1 of everything.
  package init(keys: [RoleName: [SimulatedKey]]? = nil, isConsistent: Bool = true) throws {
    let key = try SimulatedKey("owner")
    let roles: [RoleName] = [.root, .timestamp, .snapshot, .targets]
    let signers = keys ?? Dictionary(uniqueKeysWithValues: roles.map { ($0, [key]) })
    self.signers = signers
    let header = MetadataHeader(version: 1, expires: Self.time(30 * Self.day))
    func ofRole(_ role: RoleName) -> RoleKeys { RoleKeys(signers[role] ?? []) }
    root = RootMetadata(
      header: header,
      usesConsistentSnapshots: isConsistent,
      keys: KeyTable(signers.values.flatMap { $0 }),
      root: ofRole(.root),
      timestamp: ofRole(.timestamp),
      snapshot: ofRole(.snapshot),
      targets: ofRole(.targets)
    )
    timestamp = TimestampMetadata(header: header, snapshot: FileFacts(version: 1))
    snapshot = SnapshotMetadata(header: header, files: [:])
    targets = TargetsMetadata(header: header)
    try publishRoot()
    try publish()
  }

  /// The first root, which clients pin.
  package var pin: [UInt8] { files["1.root.json"] ?? [] }
}

// Publishing.
extension RepositorySimulator {
  /// Signs the root as it is and serves it under its version.
  package mutating func publishRoot() throws {
    let keys = (signers[.root] ?? []) + formerRootSigners
    files["\(root.header.version).root.json"] = try SignedRoot(root).signed(by: keys).bytes
  }

  /// Signs everything but the root as it is and serves it: what lists a file is made after it.
  package mutating func publish() throws {
    var listed: [RoleName: FileFacts] = [:]
    listed[.targets] = try serve(targets, as: .targets)
    for (role, contents) in delegated { listed[role] = try serve(contents, as: role) }
    snapshot.files = listed
    try publishSnapshot()
  }

  /// Signs snapshot and timestamp as they are.
  package mutating func publishSnapshot() throws {
    timestamp.snapshot = try serve(snapshot, as: .snapshot)
    try publishTimestamp()
  }

  /// Signs the timestamp as it is.
  package mutating func publishTimestamp() throws { _ = try serve(timestamp, as: .timestamp) }

  /// Publishes the next version of targets, snapshot and timestamp.
  package mutating func release() throws {
    targets.header.version += 1
    try releaseSnapshot()
  }

  /// Publishes the next version of snapshot and timestamp.
  package mutating func releaseSnapshot() throws {
    snapshot.header.version += 1
    timestamp.header.version += 1
    try publish()
  }

  /// Publishes the next version of the timestamp.
  package mutating func releaseTimestamp() throws {
    timestamp.header.version += 1
    try publishTimestamp()
  }

  /// Publishes the next root, in which these keys sign for a role, signed by the keys of the old and of the new root.
  package mutating func rotate(
    _ role: RoleName,
    to keys: [SimulatedKey],
    threshold: Int = 1
  ) throws {
    if role == .root { formerRootSigners = signers[.root] ?? [] }
    signers[role] = keys
    for key in keys { root.keys.insert(key.listed) }
    root[role] = RoleKeys(keys, threshold: threshold)
    try releaseRoot()
  }

  /// Publishes the next version of the root.
  package mutating func releaseRoot() throws {
    root.header.version += 1
    try publishRoot()
  }

  private mutating func serve<Role: RoleMetadata>(
    _ contents: Role,
    as role: RoleName
  ) throws -> FileFacts {
    let keys = signers[role] ?? signers[.targets] ?? []
    let file = try SignedMetadata(contents).signed(by: keys)
    let isVersioned = role != .timestamp && root.usesConsistentSnapshots
    files[role.requestName(version: isVersioned ? file.version : nil)] = file.bytes
    return listsDigests
      ? FileFacts(version: file.version, of: file.bytes) : FileFacts(version: file.version)
  }
}

// Delegating.
extension RepositorySimulator {
  /// Lets a role speak of paths on behalf of another one, and gives it a first version.
  package mutating func delegate(
    from delegator: RoleName = .targets,
    to name: String,
    _ scope: DelegatedRole.Scope,
    isTerminating: Bool = false,
    keys: [SimulatedKey]? = nil,
    targets: [TargetPath: TargetFile] = [:]
  ) throws {
    guard let role = RoleName(name) else { preconditionFailure("a role has a name") }
    let signers = try keys ?? [SimulatedKey(name)]
    let entry = DelegatedRole(
      name: role,
      keys: RoleKeys(signers),
      isTerminating: isTerminating,
      scope: scope
    )
    var delegations =
      self[delegator].delegations ?? Delegations(keys: KeyTable(), form: .roles([]))
    for key in signers { delegations.keys.insert(key.listed) }
    if case .roles(let roles) = delegations.form { delegations.form = .roles(roles + [entry]) }
    self[delegator].delegations = delegations
    guard delegated[role] == nil else { return }
    self.signers[role] = signers
    self[role] = TargetsMetadata(
      header: MetadataHeader(version: 1, expires: Self.time(30 * Self.day)),
      targets: targets
    )
  }

  /// A repository whose targets are spread over bins, all of them empty.
  package static func withBins(bitLength: Int) throws -> RepositorySimulator {
    var repository = try RepositorySimulator()
    let key = try SimulatedKey("bins")
    let bins = SuccinctRoles(keys: RoleKeys([key]), bitLength: bitLength, namePrefix: "bin")
    repository.targets.delegations = Delegations(keys: KeyTable([key]), form: .succinct(bins))
    for name in bins.roleNames {
      repository.signers[name] = [key]
      repository.delegated[name] = TargetsMetadata(header: repository.targets.header)
    }
    try repository.publish()
    return repository
  }

  /// The contents of the targets role or of a delegated one.
  package subscript(role: RoleName) -> TargetsMetadata {
    get { role == .targets ? targets : delegated[role] ?? TargetsMetadata(header: targets.header) }
    set {
      if role == .targets { targets = newValue } else { delegated[role] = newValue }
    }
  }
}

// Serving.
extension RepositorySimulator {
  /// What a mirror answers.
  package func answer(_ request: MetadataRequest) -> MetadataResponse {
    if let answer = answers[request.name] { return answer }
    guard let bytes = files[request.name] else { return .absent }
    return bytes.count > request.limit ? .tooLong : .bytes(bytes)
  }

  /// Replaces text in a published file; nothing else in it changes.
  package mutating func replace(_ text: String, with other: String, in name: String) {
    let bytes = files[name] ?? []
    let old = String(decoding: bytes, as: UTF8.self)
    let parts = old.split(separator: text, omittingEmptySubsequences: false)
    precondition(parts.count > 1, "\(name) has no \(text)")
    files[name] = Array(parts.joined(separator: other).utf8)
  }
}
