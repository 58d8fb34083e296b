import Foundation
import ReleaseSimulator
import Signatures
import SystemFiles
import TestSupport

/// One client in the folder of the running test: its store, its configuration, and the built `sealift`.
struct ConsumerHome: Sendable {
  let folder: String
  var store: String
  let signer: SimulatedSigner
  /// The program with an environment that says nothing of its own.
  var tool: Tool
  /// What stands before the arguments: the words of a program that runs `sealift` in other circumstances.
  var prefix: [String] = []

  /// Makes a client that trusts one key for every model of `acme`.
  static func trusting(_ models: String = "acme/*") async throws -> ConsumerHome {
    let home = try ConsumerHome()
    let outcome = try await home.run([
      "trust", "add", home.keyFile, "--models", models,
    ])
    guard outcome.ending == .exited(0) else {
      throw SupportError.programFailed("sealift", message: outcome.errors)
    }
    return home
  }

  /// Makes a client that trusts nobody yet.
  init(_ folder: String = TemporaryFolder.current) throws {
    self.folder = folder
    store = "\(folder)/store"
    signer = try SimulatedSigner("release")
    tool = try Tool.built("sealift")
    tool.environment = Self.environment(home: folder)
    tool.timeout = .seconds(300)
    try write(publicKeyOf: signer)
  }

  /// The same client, which opens as many connections as it does by itself.
  var withAllConnections: ConsumerHome {
    var home = self
    home.tool.environment["SEALIFT_JOBS"] = nil
    return home
  }

  var configuration: String { "\(folder)/config" }

  /// Nothing of the user's own, and no proxy, is to change what a test sees.
  private static func environment(home: String) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment.filter { name, _ in
      !["SEALIFT_", "XDG_"].contains { name.hasPrefix($0) } && name != "NO_COLOR"
        && !name.lowercased().hasSuffix("_proxy")
    }
    environment["HOME"] = home
    // One connection makes the requests of a test countable; tests of several say so.
    environment["SEALIFT_JOBS"] = "1"
    return environment
  }

  /// Where the store and the configuration are.
  var places: [String] { ["--store", store, "--config", configuration] }

  /// The arguments with the places, which stand before the words of another program.
  func placed(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.count
    return arguments[..<end] + places + arguments[end...]
  }

  /// Runs `sealift` to its end.
  func run(_ arguments: [String]) async throws -> ToolOutcome {
    try await tool.run(prefix + placed(arguments))
  }

  /// Starts `sealift` and returns at once.
  func start(_ arguments: [String]) throws -> RunningTool {
    try tool.start(prefix + placed(arguments))
  }

  /// Writes the signed manifest of a release into the folder and returns its path.
  func publish(
    _ release: ConsumerRelease,
    as name: String? = nil,
    signedBy signers: [SimulatedSigner]? = nil
  ) throws -> String {
    try write(
      try release.envelope(signedBy: signers ?? [signer]),
      to: name ?? "\(release.version).json"
    )
  }

  /// Writes a file into the folder and returns its path.
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = "\(folder)/\(name)"
    try replaceFile(at: path, with: bytes, mode: 0o644)
    return path
  }

  /// Makes another signer, with the file of its public key.
  func signer(named name: String) throws -> SimulatedSigner {
    let signer = try SimulatedSigner(name)
    try write(publicKeyOf: signer)
    return signer
  }

  /// The public key as a client gets it.
  var keyFile: String { keyFile(of: signer) }

  func keyFile(of signer: SimulatedSigner) -> String { "\(folder)/\(signer.name).pub" }

  private func write(publicKeyOf signer: SimulatedSigner) throws {
    let text = signer.publicKey.pem(name: signer.name)
    try replaceFile(at: keyFile(of: signer), with: Array(text.utf8), mode: 0o644)
  }

  /// Writes the files of a release as they lie on an honest mirror; returns the template of that `file` mirror.
  func fileMirror(_ release: ConsumerRelease, in name: String = "blobs") throws -> String {
    try release.simulated().write(to: "\(folder)/\(name)")
    return "file://\(folder)/\(name)/{name}"
  }

  /// Looks at the store as an auditor does.
  func oracle(_ model: String = "acme/tiny") -> StoreOracle {
    StoreOracle(store: store, model: model)
  }

  /// Installs a release from a `file` mirror, as the version that later trouble must not cost.
  func installed(_ release: ConsumerRelease) async throws {
    let mirror = try fileMirror(release, in: "blobs-\(release.version)")
    let outcome = try await run(["install", try publish(release), "--mirror", mirror])
    guard outcome.ending == .exited(0) else {
      throw SupportError.programFailed("sealift", message: outcome.errors)
    }
  }
}
