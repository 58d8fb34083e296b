import Digests
import Installing
import Manifests
import ModelStore
import ReleaseSimulator
import Synchronization
import SystemFiles
import TestSupport
import Transfers
import Trust
import Verification

/// A client with a store in the folder of the running test, which trusts one signer.
struct Client {
  let signer: SimulatedSigner
  var policy: TrustPolicy
  var now: Timestamp
  /// The path of the store.
  let path: String

  init(at path: String = TemporaryFolder.path("store")) throws {
    self.path = path
    signer = try SimulatedSigner("release")
    policy = try TrustPolicy.trusting([signer])
    now = try Timestamp("2026-06-01T00:00:00Z")
  }

  /// A client with another store.
  static func other() throws -> Client { try Client(at: TemporaryFolder.path("other")) }

  /// The same client with another trust policy, and at another time.
  func trusting(_ policy: TrustPolicy, at time: Timestamp? = nil) -> Client {
    var client = self
    client.policy = policy
    client.now = time ?? now
    return client
  }

  /// A request for a release that these mirrors have, which are URL templates.
  func request(_ release: SimulatedRelease, from mirrors: [String] = []) throws -> InstallRequest {
    var release = release
    release.mirrors += try mirrors.map { try MirrorTemplate($0) }
    let manifest = try release.manifest(signedBy: [signer])
    var request = InstallRequest(try policy.accept(manifest, at: now))
    request.transfer.clocks.giveUp = .milliseconds(300)
    // One connection makes requests countable; tests of several are those of the engine.
    request.transfer.jobs = 1
    return request
  }

  @discardableResult
  func install(
    _ request: InstallRequest,
    _ note: @escaping @Sendable (InstallEvent) -> Void = { _ in }
  ) async throws -> Installed {
    let events = EventLog()
    let installer = Installer(request, now: now) { event in
      events.add(event)
      note(event)
    }
    let outcome = try await installer.install(into: Store(changing: path))
    return Installed(outcome: outcome, events: events.all)
  }

  /// Installs a release from a folder mirror of its own.
  @discardableResult
  func install(_ release: SimulatedRelease) async throws -> Installed {
    try await install(request(release, from: [try localMirror(of: release)]))
  }

  /// The template of a folder that has the files of the release.
  func localMirror(of release: SimulatedRelease) throws -> String {
    let folder = TemporaryFolder.path("mirrors/\(release.version)")
    try release.write(to: folder)
    return "file://\(folder)/{name}"
  }

  func model() throws -> StoredModel {
    try Store(changing: path).modelForChanging(ModelName("tiny"))
  }

  func active() throws -> String? { try model().recordState().record?.active.version.text }

  func versions() throws -> [String] { try model().versionNames().map(\.version.text) }

  func candidates() throws -> [String] { try model().candidateNames().map(\.version.text) }

  /// The path of a file of a version in the store.
  func file(_ name: String, _ version: String) throws -> String {
    let model = try model()
    return "\(model.filesPath(of: try model.versionName(Version(version))))/\(name)"
  }

  /// Whether the store has exactly the files of the release, byte for byte.
  func has(_ release: SimulatedRelease) throws -> Bool {
    let folder = try Folder(path: try file("", release.version.text))
    return try ReleaseCheck(release.release()).findings(in: folder) { _ in true }.isEmpty
  }

  func change(_ runtimes: [String] = []) throws -> VersionSwitch {
    VersionSwitch(
      policy: policy,
      runtimes: try runtimes.map { try RuntimeStatement($0) },
      now: now
    )
  }

  func activate(
    _ version: String,
    _ runtimes: [String] = [],
    consent: VersionHistory.Consent = .returnToPrevious
  ) async throws {
    let model = try model()
    _ = try await change(runtimes)
      .activate(Version(version), of: model, consent: consent)
  }

  func rollBack(_ runtimes: [String] = []) async throws {
    let model = try model()
    _ = try await change(runtimes).rollBack(model)
  }
}

/// What came of an install.
struct Installed {
  let outcome: InstallOutcome
  let events: [InstallEvent]

  /// The names of the events in their order, progress left out.
  var steps: [String] {
    events.compactMap { event in
      switch event {
      case .attached: "attached"
      case .returned: "returned"
      case .alreadyInstalled: "alreadyInstalled"
      case .replacesDamaged: "replacesDamaged"
      case .fetching: "fetching"
      case .refetching: "refetching"
      case .published: "published"
      case .activated: "activated"
      case .collected: "collected"
      case .damaged: "damaged"
      case .transfer, .verifying, .reading, .attachedProgress: nil
      }
    }
  }
}

final class EventLog: Sendable {
  private let events = Mutex<[InstallEvent]>([])

  var all: [InstallEvent] { events.withLock { $0 } }
  func add(_ event: InstallEvent) { events.withLock { $0.append(event) } }
}

extension FaultyMirror {
  /// A mirror with the files of these releases.
  convenience init(
    _ releases: SimulatedRelease...,
    fault: Fault = .honest
  ) throws {
    var files: [String: [UInt8]] = [:]
    for release in releases {
      for (path, bytes) in release.contents { files["/\(release.version)/\(path)"] = bytes }
    }
    try self.init(files: files, fault)
  }

  /// The template of this mirror.
  var template: String { "\(url)/{version}/{name}" }
}
