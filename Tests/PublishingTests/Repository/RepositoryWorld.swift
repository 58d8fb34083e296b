import Digests
import Manifests
import Publishing
import ReleaseSimulator
import Signatures
import Trust

/// A repository in memory: what is published, and all files that ever were.
struct RepositoryWorld {
  private(set) var state: RepositoryState?
  private(set) var files: [String: [UInt8]] = [:]
  var now: Timestamp

  static let start = "2026-12-01T00:00:00Z"

  init() throws { now = try Timestamp(Self.start) }

  /// A repository in which one key does all.
  static func oneKey(_ owner: SimulatedSigner, hasBins: Bool = false) throws -> RepositoryWorld {
    var world = try RepositoryWorld()
    let key = [owner.publicKey]
    var draft = try RepositoryDraft(
      newRepositoryWith: [
        .root: (key, 1), .targets: (key, 1), .snapshot: (key, 1), .timestamp: (key, 1),
      ],
      policy: RepositoryPolicy(version: 1, policy: try Self.policy(owner)),
      hasBins: hasBins,
      lifetimes: RoleLifetimes(),
      at: world.now
    )
    try world.publish(&draft, by: owner)
    return world
  }

  static func policy(_ signer: SimulatedSigner) throws -> TrustPolicy {
    try TrustPolicy().adding([signer.trusted()], for: try ModelPattern("*"), threshold: 1)
  }

  func draft() -> RepositoryDraft { RepositoryDraft(base: state) }

  /// Signs a change and publishes it if it is complete, and if clients accept it from the first root on.
  @discardableResult
  mutating func publish(_ draft: inout RepositoryDraft, by signers: SimulatedSigner...) throws
    -> Bool
  {
    try draft.sign(with: signers.map(\.asRepositorySigner), at: now)
    guard draft.isComplete else { return false }
    try place(draft)
    _ = try trusted()
    return true
  }

  private mutating func place(_ draft: RepositoryDraft) throws {
    for (role, file) in draft.targets {
      files[RepositoryLayout.metadata(role, file.version)] = file.bytes
    }
    if let file = draft.snapshot {
      files[RepositoryLayout.metadata(.snapshot, file.version)] = file.bytes
    }
    if let file = draft.root { files[RepositoryLayout.metadata(.root, file.version)] = file.bytes }
    if let file = draft.timestamp { files[RepositoryLayout.metadata(.timestamp, 0)] = file.bytes }
    var withdrawn = state?.withdrawn ?? WithdrawnReleases()
    for document in draft.documents where document.path.text == RepositoryPath.withdrawn {
      withdrawn = try WithdrawnReleases(parsing: document.bytes)
    }
    guard let root = draft.root ?? state?.root, let timestamp = draft.timestamp ?? state?.timestamp,
      let snapshot = draft.snapshot ?? state?.snapshot,
      let targets = draft.targets[.targets] ?? state?.targets
    else { return }
    var bins = state?.bins ?? [:]
    for (role, file) in draft.targets where role != .targets { bins[role] = file }
    state = RepositoryState(
      root: root,
      timestamp: timestamp,
      snapshot: snapshot,
      targets: targets,
      bins: bins,
      policy: draft.policy ?? state?.policy,
      withdrawn: withdrawn
    )
  }

  /// What a client sees that started with the first root.
  func trusted() throws -> TrustedMetadata {
    try StagedTree.trusted(at: now) { path, _ in files[path] }
  }
}

extension SimulatedSigner {
  var asRepositorySigner: RepositorySigner {
    RepositorySigner(publicKey) { try self.secretKey().sign($0) }
  }
}

extension RepositoryDraft.NewRelease {
  /// A release of no files that `signer` has signed.
  init(
    _ model: String = "tiny",
    _ version: String = "1.0.0",
    by signer: SimulatedSigner,
    in channels: Set<ChannelName> = [.stable],
    notes: String? = nil
  ) throws {
    var release = try SimulatedRelease(
      model,
      version,
      files: [SimulatedFile("config.json", Array("{}".utf8), chunkLength: nil)]
    )
    release.details.notes = notes
    let envelope = try release.envelope(signedBy: [signer])
    try self.init(
      envelope.release(),
      bytes: envelope.encode(),
      payloadDigest: envelope.payloadDigest,
      channels: channels
    )
  }
}
