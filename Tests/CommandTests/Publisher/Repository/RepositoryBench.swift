import CommandErrors
import Digests
import Foundation
import Manifests
import Publishing
import ReleaseSimulator
import Signatures
import SystemFiles
import TestSupport
import Testing
import Trust

/// Keys, manifests and a repository in the folder of the running test, for the commands `repo …`.
enum RepositoryBench {
  /// Writes `keys/NAME.key` and `keys/NAME.pub` of a key that is the same everywhere.
  @discardableResult
  static func key(_ name: String) throws -> SimulatedSigner {
    let signer = try SimulatedSigner(name)
    let files = try KeyPairFiles(name: name, in: TemporaryFolder.path("keys"))
    try files.create(for: signer.secretKey(), encryptedWith: nil)
    return signer
  }

  /// Writes a manifest that `signer` has signed; returns its path in the folder of the test.
  @discardableResult
  static func manifest(
    _ model: String = "tiny",
    _ version: String,
    by signer: SimulatedSigner,
    withFiles: Bool = false
  ) throws -> String {
    let release = try SimulatedRelease(
      model,
      version,
      files: [SimulatedFile("config.json", Array("{\"v\":\"\(version)\"}".utf8))]
    )
    let path = "manifests/\(model)-\(version).json"
    try place(try release.manifest(signedBy: [signer]), at: path)
    if withFiles { try release.write(to: TemporaryFolder.path("files-\(version)")) }
    return path
  }

  /// Makes `public` with the key `owner`.
  static func make(_ options: String...) async throws -> SimulatedSigner {
    let owner = try key("owner")
    let made = try await publish(
      ["repo", "init", "public", "--key", "keys/owner.key"] + options
    )
    try #require(made.exitCode == 0, "\(made.errors)")
    return owner
  }

  /// Makes `public` with the key `owner`, and tiny@1.0.0 with its file in it.
  static func makeListed() async throws -> SimulatedSigner {
    let owner = try await make()
    let path = try manifest("tiny", "1.0.0", by: owner, withFiles: true)
    try await add(path, files: "files-1.0.0")
    return owner
  }

  /// Lists the release of a manifest, with the files in a folder, by the key `owner`.
  static func add(_ manifest: String, files: String) async throws {
    try await repo("add", "public", manifest, "--files", files, "--key", "keys/owner.key")
  }

  /// Runs a command that must succeed.
  @discardableResult
  static func repo(_ words: String...) async throws -> ToolOutcome { try await repo(words) }

  /// Runs a command that must succeed.
  @discardableResult
  static func repo(_ words: [String]) async throws -> ToolOutcome {
    let outcome = try await publish(["repo"] + words)
    try #require(outcome.exitCode == 0, "\(words): \(outcome.errors)")
    return outcome
  }

  /// Copies the tree as it is now.
  static func copyTree(to name: String) throws {
    try FileManager.default.copyItem(
      atPath: TemporaryFolder.path("public"),
      toPath: TemporaryFolder.path(name)
    )
  }

  /// Every file that is served, by its path.
  static func served(_ tree: String = "public") throws -> [String: [UInt8]] {
    let root = TemporaryFolder.path(tree)
    var files: [String: [UInt8]] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init()
    where !name.hasPrefix(".") {
      var isFolder: ObjCBool = false
      _ = unsafe FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isFolder)
      if !isFolder.boolValue { files[name] = try contents("\(tree)/\(name)") }
    }
    return files
  }

  /// Lists a policy by which `thief` signs releases, as one does who has the keys of targets, snapshot and timestamp alone.
  static func list(policyOf thief: SimulatedSigner, by owner: SimulatedSigner) throws {
    let old = try RepositoryTree(path: TemporaryFolder.path("public")).state(
      at: try Timestamp.current()
    )
    let rules = try TrustPolicy().adding(
      [thief.trusted()],
      for: try ModelPattern("*"),
      threshold: 1
    )
    let bytes = RepositoryPolicy(version: 2, policy: rules).envelope().encode()
    let file = TargetFile(of: bytes)
    var targets = old.targets.contents
    targets.header.version += 1
    targets.targets[try #require(TargetPath(RepositoryPath.policy))] = file
    let list = try signed(targets, by: owner)
    var snapshot = old.snapshot.contents
    snapshot.header.version += 1
    snapshot.files[.targets] = FileFacts(version: list.version, of: list.bytes)
    let index = try signed(snapshot, by: owner)
    var header = old.timestamp.contents.header
    header.version += 1
    let timestamp = try signed(
      TimestampMetadata(
        header: header,
        snapshot: FileFacts(version: index.version, of: index.bytes)
      ),
      by: owner
    )
    let digest = try #require(file.hashes.sha256)
    try place(bytes, at: "public/targets/\(digest.hex).policy.json")
    try place(list.bytes, at: "public/metadata/\(list.version).targets.json")
    try place(index.bytes, at: "public/metadata/\(index.version).snapshot.json")
    try place(timestamp.bytes, at: "public/metadata/timestamp.json")
  }

  private static func signed<Role: RoleMetadata>(
    _ contents: Role,
    by signer: SimulatedSigner
  ) throws -> SignedMetadata<Role> {
    let file = SignedMetadata(contents)
    let signature = try signer.secretKey().sign(file.signedBytes)
    return file.adding(MetadataSignature(signature, by: signer.publicKey))
  }
}
