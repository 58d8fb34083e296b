import StrictJSON
import SystemFiles
import Trust

/// The trust policy of this client: `trust.json` in the folder of its configuration.
struct TrustFile {
  private static let name = "trust.json"
  private static let limit = 4 << 20

  let path: String
  private let folder: String

  init(in folder: String) {
    self.folder = folder
    path = "\(folder)/\(Self.name)"
  }

  /// Reads the policy; where there is no file, nothing is trusted.
  func load() throws -> TrustPolicy {
    guard let bytes = try readFile(at: path, limit: Self.limit) else { return TrustPolicy() }
    return try TrustPolicy(document: try JSONReader.parse(bytes))
  }

  /// Changes the policy as `edit` says, while no other process changes it.
  func change(_ edit: (TrustPolicy) throws -> TrustPolicy) throws {
    let folder = try Folder(creating: folder, mode: 0o700)
    let lock = try FileLock.wait(for: "\(Self.name).lock", in: folder, .exclusive, mode: 0o600)
    let policy = try edit(try load())
    try folder.replaceFile(Self.name, with: JSONWriter.pretty(policy.document), mode: 0o600)
    lock.release()
  }
}
