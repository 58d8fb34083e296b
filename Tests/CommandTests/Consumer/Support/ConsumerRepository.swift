import Digests
import Foundation
import Manifests
import ReleaseSimulator
import SystemFiles
import TUFSimulator
import Trust

/// A repository on disk that a client reads by `file` URLs: what `sealift-publish repo` would have made of the releases.
struct ConsumerRepository {
  let folder: String
  private(set) var simulator: RepositorySimulator
  private(set) var withdrawn = WithdrawnReleases()
  private var policy: RepositoryPolicy
  private var policySigners: [SimulatedSigner]
  private let signer: SimulatedSigner

  /// Publishes a repository whose policy lets `signer` sign the models of `pattern`.
  init(
    _ folder: String,
    signer: SimulatedSigner,
    for pattern: String = "acme/*",
    root name: String = "root"
  ) throws {
    self.folder = folder
    self.signer = signer
    let root = try SimulatedSigner(name)
    policySigners = [root]
    policy = RepositoryPolicy(version: 1, policy: try .trusting([signer], for: pattern))
    let online = try SimulatedKey("online")
    simulator = try RepositorySimulator(keys: [
      .root: [try SimulatedKey(name)], .targets: [try SimulatedKey("targets")],
      .snapshot: [online], .timestamp: [online],
    ])
    try expire(inDays: 30)
    try simulator.publishRoot()
    try put(policy.envelope().signed(by: policySigners).encode(), at: RepositoryPath.policy)
    try put(withdrawn.encode(), at: RepositoryPath.withdrawn)
    try simulator.publish()
    try write()
  }

  var url: String { "file://\(folder)" }

  /// Lets all metadata that is published from now on end so many days from now.
  mutating func expire(inDays days: Int64) throws {
    let now = Int64(Date().timeIntervalSince1970)
    guard let end = Timestamp(seconds: now + days * RepositorySimulator.day) else { return }
    simulator.root.header.expires = end
    simulator.timestamp.header.expires = end
    simulator.snapshot.header.expires = end
    simulator.targets.header.expires = end
  }

  /// Publishes a release in these channels; its bytes lie among the blobs of the repository.
  mutating func add(_ release: ConsumerRelease, _ channels: String...) throws {
    let simulated = try release.simulated()
    try simulated.writeBlobs(to: folder)
    let names = try (channels.isEmpty ? ["stable"] : channels).map { try ChannelName($0) }
    let entry = ReleaseEntry(try simulated.release(), channels: Set(names))
    try put(
      simulated.manifest(signedBy: [signer]),
      at: RepositoryPath.manifest(of: simulated.model, simulated.version),
      custom: entry
    )
    try simulator.release()
    try write()
  }

  /// Takes a release back.
  mutating func withdraw(_ release: ConsumerRelease, reason: String) throws {
    let simulated = try release.simulated()
    withdrawn = try withdrawn.adding(
      WithdrawnRelease(
        model: simulated.model,
        version: simulated.version,
        manifest: try simulated.digest(),
        reason: reason,
        time: simulated.released
      )
    )
    let path = RepositoryPath.manifest(of: simulated.model, simulated.version)
    if let path = TargetPath(path) { simulator.targets.targets[path] = nil }
    try put(withdrawn.encode(), at: RepositoryPath.withdrawn)
    try simulator.release()
    try write()
  }

  /// Replaces every key: each root is signed by the keys of the one before, and the policy by old and new keys.
  mutating func rotateAll(_ generation: Int) throws {
    let root = try SimulatedSigner("root \(generation)")
    let former = policySigners
    policySigners = [root]
    try put(
      policy.envelope().signed(by: former + policySigners).encode(),
      at: RepositoryPath.policy
    )
    let online = try SimulatedKey("online \(generation)")
    try simulator.rotate(.timestamp, to: [online])
    try simulator.rotate(.snapshot, to: [online])
    try simulator.rotate(.targets, to: [SimulatedKey("targets \(generation)")])
    try simulator.rotate(.root, to: [SimulatedKey("root \(generation)")])
    try simulator.release()
    try write()
  }

  /// Publishes another policy, signed by these keys in place of the root's.
  mutating func replacePolicy(_ new: RepositoryPolicy, signedBy signers: [SimulatedSigner]) throws {
    try put(new.envelope().signed(by: signers).encode(), at: RepositoryPath.policy)
    try simulator.release()
    try write()
  }

  /// Copies the repository as it is now, as a mirror that does not follow it any more.
  func mirror(named name: String) throws -> String {
    let copy = "\(folder)-\(name)"
    try FileManager.default.copyItem(atPath: folder, toPath: copy)
    return "file://\(copy)"
  }

  /// Writes the first root where a person finds it; returns its path.
  func rootFile() throws -> String {
    try put(simulator.pin, in: "pinned", "root.json")
    return "\(folder)/pinned/root.json"
  }

  private mutating func put(
    _ bytes: [UInt8],
    at path: String,
    custom: ReleaseEntry? = nil
  ) throws {
    guard let target = TargetPath(path) else { return }
    simulator.targets.targets[target] = TargetFile(of: bytes, custom: custom?.custom)
    let (place, name) = splitPath(path)
    let folder = place == "." ? "" : "\(place)/"
    try put(bytes, in: "targets", "\(folder)\(SHA256Digest(of: bytes)).\(name)")
  }

  private func write() throws {
    for (name, bytes) in simulator.files { try put(bytes, in: "metadata", name) }
  }

  private func put(_ bytes: [UInt8], in part: String, _ path: String) throws {
    let root = try Folder(creating: folder, mode: 0o755)
    let parts = [part] + path.split(separator: "/").map(String.init)
    let place = try root.makeFolders(parts.dropLast(), mode: 0o755)
    try place.replaceFile(parts[parts.count - 1], with: bytes, mode: 0o644)
  }
}

extension ConsumerRepository {
  /// A client without trust of its own, and a repository with these releases that it does not follow yet.
  static func withClient(
    _ versions: [String]
  ) throws -> (home: ConsumerHome, repository: ConsumerRepository) {
    let home = try ConsumerHome()
    var repository = try ConsumerRepository("\(home.folder)/repository", signer: home.signer)
    for version in versions { try repository.add(ConsumerRelease.seeded(version)) }
    return (home, repository)
  }
}
