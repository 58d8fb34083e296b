import SystemFiles

/// Where a library keeps its models.
///
/// Several processes and the command line may use one store at the same time. Keep it on a local disk, and not in a folder
/// that a cloud service synchronises.
public enum StoreLocation: Hashable, Sendable {
  /// The store of this user, which `sealift` has too: `$XDG_DATA_HOME/sealift`, or `~/.local/share/sealift`.
  case user
  /// The store of the machine, which its administrator writes and everybody reads: `/var/lib/sealift`.
  case system
  /// The folder at this absolute path, which is made where it is missing.
  case folder(String)
}

extension StoreLocation {
  static let systemPath = "/var/lib/sealift"

  /// The absolute path of the folder.
  ///
  /// Throws ``ModelFailure/Reason/invalidConfiguration`` where the environment names no folder of the user.
  func path() throws(ModelFailure) -> String {
    switch self {
    case .system: return Self.systemPath
    case .folder(let path):
      guard path.utf8.first == UInt8(ascii: "/") else {
        throw ModelFailure(configuration: "The path of the store is not absolute.")
      }
      return path
    case .user:
      if let data = absolute("XDG_DATA_HOME") { return "\(data)/sealift" }
      guard let home = absolute("HOME") else {
        throw ModelFailure(configuration: "Nothing says where this user's files are.")
      }
      return "\(home)/.local/share/sealift"
    }
  }

  private func absolute(_ variable: String) -> String? {
    guard let path = environmentVariable(variable), path.utf8.first == UInt8(ascii: "/") else {
      return nil
    }
    return path
  }
}
