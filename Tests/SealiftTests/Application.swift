import Digests
import Manifests
import ModelStore
import ReleaseSimulator
import Sealift
import Signatures
import Synchronization
import TestSupport

/// An application with a store in the folder of the running test, which trusts one signer.
struct Application {
  let signer: SimulatedSigner
  var settings = LibrarySettings()
  let storePath = TemporaryFolder.path("store")

  init() throws {
    signer = try SimulatedSigner("release")
    // One connection makes requests countable.
    settings.connections = 1
    settings.patience = .milliseconds(300)
    settings.proxies = .none
  }

  var key: String { signer.publicKey.shortForm }

  /// The library as each launch of the application makes it.
  func launch() throws -> ModelLibrary {
    try ModelLibrary(
      store: .folder(storePath),
      trust: .rules([SignerRule(models: "*", keys: [key])]),
      settings: settings
    )
  }

  /// A library that waits for slow mirrors as long as it takes.
  func patient() throws -> ModelLibrary {
    var application = self
    application.settings.patience = .seconds(300)
    return try application.launch()
  }

  /// The signed manifest of a release that these mirrors have, which are URL templates.
  func source(_ release: SimulatedRelease, from mirrors: [String]) throws -> ModelSource {
    .manifest(try manifest(release, from: mirrors))
  }

  func manifest(_ release: SimulatedRelease, from mirrors: [String]) throws -> [UInt8] {
    var release = release
    release.mirrors = try mirrors.map { try MirrorTemplate($0) }
    return try release.manifest(signedBy: [signer])
  }

  /// Installs a release from a folder mirror of its own.
  func install(_ release: SimulatedRelease, _ options: InstallOptions = .init()) async throws
    -> InstallState?
  {
    let folder = TemporaryFolder.path("mirrors/\(release.version)")
    try release.write(to: folder)
    let source = try source(release, from: ["file://\(folder)/{name}"])
    return try await launch().install(source, options: options).last()
  }

  /// The bytes of a file of the version that is active.
  func bytes(of file: String) async throws -> [UInt8] {
    try await launch().withActiveModel("tiny") { model in try readFile(model.path + "/" + file) }
  }

  /// Whether the active record is this text, byte for byte; nil for none.
  func activeRecord() throws -> [UInt8]? { try? readFile(storePath + "/models/tiny/active.json") }

  /// A release of one file of some chunks, so that a download can be stopped within it.
  static func large(_ version: String = "1.0.0") throws -> SimulatedRelease {
    let seed = version.utf8.reduce(UInt64(3)) { $0 &* 31 &+ UInt64($1) }
    return try SimulatedRelease(
      "tiny",
      version,
      files: [SimulatedFile("a.bin", SampleBytes(seed: seed).prefix(1 << 20))]
    )
  }
}

extension FaultyMirror {
  /// A mirror with the files of these releases.
  convenience init(_ releases: SimulatedRelease..., fault: Fault = .honest) throws {
    var files: [String: [UInt8]] = [:]
    for release in releases {
      for (path, bytes) in release.contents { files["/\(release.version)/\(path)"] = bytes }
    }
    try self.init(files: files, fault)
  }

  /// The template of this mirror.
  var template: String { "\(url)/{version}/{name}" }
}

extension InstallState {
  /// What failed; nil for any other state.
  var failure: ModelFailure? {
    if case .failed(let failure) = self { failure } else { nil }
  }

  /// The part that is downloaded; nil for any other state.
  var downloaded: Double? {
    if case .downloading(let fraction, _, _) = self { fraction } else { nil }
  }
}

/// Reads states on the side, so that a test can wait for one.
final class Watcher: Sendable {
  private let states = Mutex<[InstallState]>([])
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ sequence: InstallStates) {
    let task = Task { [weak self] in
      for await state in sequence { self?.states.withLock { $0.append(state) } }
    }
    self.task.withLock { $0 = task }
  }

  var all: [InstallState] { states.withLock { $0 } }

  /// Waits for a state; false if none came within a minute.
  func wait(for condition: (InstallState) -> Bool) async throws -> Bool {
    try await eventually { all.contains(where: condition) }
  }

  /// Waits for the end and returns the last state.
  func last() async -> InstallState? {
    await task.withLock { $0 }?.value
    return all.last
  }
}
