import Digests
import Manifests
import Repositories
import SystemFiles
import TUFSimulator
import TestSupport
import Testing
import Transfers
import Trust

/// A repository, mirrors that serve it, and a client with a folder.
struct Scene {
  var repository: RepositorySimulator
  let mirrors: [FaultyMirror]
  let folder = TemporaryFolder.path("state")
  private var documents: [String: [UInt8]] = [:]

  init(mirrors count: Int = 1) throws {
    repository = try RepositorySimulator()
    mirrors = try (0..<count).map { _ in try FaultyMirror() }
    publish()
  }

  /// Serves what the repository has on every mirror, or on those that are named.
  func publish(on chosen: [Int]? = nil) {
    for (index, mirror) in mirrors.enumerated() where chosen?.contains(index) ?? true {
      for (name, bytes) in repository.files { mirror.serve(bytes, at: "/metadata/\(name)") }
      for (path, bytes) in documents { mirror.serve(bytes, at: "/targets/\(path)") }
    }
  }

  /// Lists a target and serves it from the next publication on.
  @discardableResult
  mutating func addTarget(_ path: String, _ bytes: [UInt8]) throws -> TargetPath {
    let (target, file) = (try #require(TargetPath(path)), TargetFile(of: bytes))
    repository.targets.targets[target] = file
    let place = try #require(target.requestPath(prefix: file.hashes.sha256?.hex))
    documents[place] = bytes
    return target
  }

  func state() throws -> RepositoryFolder {
    RepositoryFolder(try Folder(creating: folder, mode: 0o700))
  }

  func client(
    pin: [UInt8]? = nil,
    clocks: RepositoryClocks = RepositoryClocks()
  ) -> Repository {
    Repository(
      pin: pin ?? repository.pin,
      mirrors: mirrors.map { RepositoryMirror($0.url) },
      options: FetchOptions(),
      clocks: clocks
    )
  }

  @discardableResult
  func refresh(
    pin: [UInt8]? = nil,
    now: Timestamp = RepositorySimulator.now
  ) async throws -> RepositorySession {
    try await client(pin: pin).refresh(try state(), now: now)
  }

  /// What a refresh throws.
  func fault(pin: [UInt8]? = nil) async throws -> RepositoryFault? {
    do {
      try await refresh(pin: pin)
      return nil
    } catch let fault as RepositoryFault {
      return fault
    }
  }

  /// The section of the specification by which a refresh is refused.
  func refusedSection() async throws -> String? {
    guard case .refused(let refusal, _, _)? = try await fault() else { return nil }
    return refusal.section
  }

  func kept(_ name: String) throws -> [UInt8]? {
    try readFile(at: "\(folder)/\(name)", limit: 1 << 20)
  }

  func put(_ bytes: [UInt8], at name: String) throws {
    try replaceFile(at: "\(folder)/\(name)", with: bytes, mode: 0o600)
  }

  /// Takes away the targets that were kept.
  func forgetDocuments() throws { try Folder(path: folder).removeTree("documents") }

  /// The names of the metadata that a mirror was asked for.
  func asked(_ mirror: Int = 0) -> [String] {
    mirrors[mirror].requests.map { String($0.target.dropFirst("/metadata/".count)) }
  }
}
