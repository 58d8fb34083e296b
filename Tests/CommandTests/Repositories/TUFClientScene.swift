import Digests
import Foundation
import Manifests
import SystemFiles
import TUFSimulator
import TestSupport
import Testing
import Trust

/// A client process, its folders, and a mirror that serves a repository in its first state or in its second.
struct TUFClientScene {
  /// The files of a state by their places beneath the mirror.
  typealias State = [String: [UInt8]]

  let mirror: FaultyMirror
  let tool: Tool
  /// The folder with all that the client writes.
  let folder = TemporaryFolder.path("client")
  let first: State
  let second: State
  private let pin: [UInt8]
  private static let target = "dir/a.json"

  /// A repository without targets, and the same with new keys, a delegated role and a target.
  init() throws {
    tool = try Tool.built("sealift-tuf-client")
    var repository = try RepositorySimulator()
    // The client reads the real clock.
    let expiry = RepositorySimulator.time(2_000_000_000)
    repository.root.header.expires = expiry
    repository.timestamp.header.expires = expiry
    repository.snapshot.header.expires = expiry
    repository.targets.header.expires = expiry
    try repository.publishRoot()
    try repository.publish()
    pin = repository.pin
    first = Self.state(repository)
    for name in ["b", "c"] { try repository.rotate(.root, to: [SimulatedKey(name)]) }
    let path = try #require(TargetPath(Self.target))
    let bytes: [UInt8] = Array("content".utf8)
    let file = TargetFile(of: bytes)
    try repository.delegate(to: "role", .paths([PathPattern("dir/*")]), targets: [path: file])
    let role = try #require(RoleName("role"))
    repository[role].header.expires = expiry
    try repository.release()
    let place = try #require(path.requestPath(prefix: file.hashes.sha256?.hex))
    second = Self.state(repository).merging(["/targets/\(place)": bytes]) { one, _ in one }
    mirror = try FaultyMirror()
  }

  private static func state(_ repository: RepositorySimulator) -> State {
    Dictionary(uniqueKeysWithValues: repository.files.map { ("/metadata/\($0)", $1) })
  }

  /// Serves the files of a state and no others.
  func serve(_ state: State) {
    for path in Set(first.keys).union(second.keys) where state[path] == nil { mirror.remove(path) }
    for (path, bytes) in state { mirror.serve(bytes, at: path) }
  }

  var refresh: [String] {
    ["--metadata-url", "\(mirror.url)/metadata", "--metadata-dir", "\(folder)/metadata", "refresh"]
  }

  var download: [String] {
    [
      "--metadata-url", "\(mirror.url)/metadata", "--metadata-dir", "\(folder)/metadata",
      "--target-name", Self.target, "--target-dir", "\(folder)/targets",
      "--target-base-url", "\(mirror.url)/targets", "download",
    ]
  }

  /// Makes the folders anew, with the first root.
  func begin() async throws {
    try? FileManager.default.removeItem(atPath: folder)
    for name in ["metadata", "targets"] {
      _ = try Folder(creating: "\(folder)/\(name)", mode: 0o755)
    }
    let root = TemporaryFolder.path("initial.json")
    try replaceFile(at: root, with: pin, mode: 0o644)
    let outcome = try await tool.run(["--metadata-dir", "\(folder)/metadata", "init", root])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
  }

  /// What is wrong with what the client keeps: every file must be one that a mirror had.
  func strangeFiles() throws -> [String] {
    let known = Set(first.values).union(second.values)
    return try DiskTree(at: folder).entries.keys.filter { path in
      guard path.hasSuffix(".json"),
        let bytes = FileManager.default.contents(atPath: "\(folder)/\(path)")
      else { return false }
      return !known.contains(Array(bytes))
    }
  }

  /// Whether all of the second state is there, and nothing half written.
  func isCurrent() throws -> Bool {
    func kept(_ name: String) -> [UInt8]? {
      FileManager.default.contents(atPath: "\(folder)/\(name)").map { Array($0) }
    }
    let pairs = [
      ("metadata/root.json", "3.root.json"), ("metadata/roots/2.root.json", "2.root.json"),
      ("metadata/roots/3.root.json", "3.root.json"), ("metadata/timestamp.json", "timestamp.json"),
      ("metadata/snapshot.json", "2.snapshot.json"), ("metadata/targets.json", "2.targets.json"),
      ("metadata/role.json", "1.role.json"),
    ]
    let isWhole = pairs.allSatisfy { kept($0) == second["/metadata/\($1)"] }
    let entries = try DiskTree(at: folder).entries.keys
    return isWhole && kept("targets/dir%2Fa.json") == Array("content".utf8)
      && !entries.contains { $0.contains(".new-") }
  }
}
