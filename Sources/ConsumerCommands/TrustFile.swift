import StrictJSON
import SystemFiles
import Trust

/// The trust policy of this client: `trust.json` in its configuration.
struct TrustFile {
  private let file: ConfigurationFile

  init(in folder: String) { file = ConfigurationFile("trust.json", in: folder) }

  /// A policy that somebody names, wherever it lies.
  init(at path: String) {
    let (folder, name) = splitPath(path)
    file = ConfigurationFile(name, in: folder)
  }

  var path: String { file.path }

  /// Reads the policy; where there is no file, nothing is trusted.
  func load() throws -> TrustPolicy {
    guard let document = try file.load() else { return TrustPolicy() }
    return try TrustPolicy(document: document)
  }

  /// Changes the policy as `edit` says, while no other process changes it.
  func change(_ edit: (TrustPolicy) throws -> TrustPolicy) throws {
    try file.change { try edit(try load()).document }
  }
}
