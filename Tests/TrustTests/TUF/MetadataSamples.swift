import Manifests
import StrictJSON
import TUFSimulator
import Trust

/// Returns the refusal that `body` throws; nil if it throws none.
func refusal<Value>(_ body: () throws(MetadataRefusal) -> Value) -> MetadataRefusal? {
  do { _ = try body() } catch { return error }
  return nil
}

func path(_ text: String) -> TargetPath {
  guard let path = TargetPath(text) else { preconditionFailure("a path") }
  return path
}

func role(_ text: String) -> RoleName {
  guard let role = RoleName(text) else { preconditionFailure("a name of a role") }
  return role
}

extension RepositorySimulator {
  /// One key for each top-level role, named as the role is.
  static func withSeparateKeys() throws -> RepositorySimulator {
    try RepositorySimulator(keys: try separateKeys())
  }

  static func separateKeys() throws -> [RoleName: [SimulatedKey]] {
    var keys: [RoleName: [SimulatedKey]] = [:]
    for role in [RoleName.root, .timestamp, .snapshot, .targets] {
      keys[role] = [try SimulatedKey(role.text)]
    }
    return keys
  }
}

extension StoredMetadata {
  /// The roles of which something is stored besides the pin, with their versions.
  var versions: [String: Int] {
    var versions: [String: Int] = [:]
    func note(_ bytes: [UInt8]?, as role: RoleName) {
      guard let bytes, case .object(let file)? = try? JSONReader.parse(bytes),
        case .object(let signed)? = file["signed"], case .integer(let version)? = signed["version"]
      else { return }
      versions[role.text] = Int(version)
    }
    note(chain.last ?? pin, as: .root)
    note(timestamp, as: .timestamp)
    note(snapshot, as: .snapshot)
    note(targets, as: .targets)
    return versions
  }
}
