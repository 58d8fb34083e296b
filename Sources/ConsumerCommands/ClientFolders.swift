import CommandLineKit
import SystemFiles

/// Where this client keeps its models and its configuration.
///
/// A flag or a `SEALIFT_*` variable beats the folders of the XDG Base Directory Specification.
struct ClientFolders {
  /// The store: `$XDG_DATA_HOME/sealift`.
  let store: String
  /// The configuration, with the trust policy: `$XDG_CONFIG_HOME/sealift`.
  let configuration: String

  init(_ context: CommandContext) throws {
    let home = Home(context.environment)
    store = try absolutePath(
      try home.folder(
        context.globals.store,
        "XDG_DATA_HOME",
        else: ".local/share",
        toState: "--store"
      )
    )
    configuration = try absolutePath(
      try home.folder(
        context.globals.config,
        "XDG_CONFIG_HOME",
        else: ".config",
        toState: "--config"
      )
    )
  }
}

/// The user's folders as the environment tells them.
private struct Home {
  private let environment: [String: String]

  init(_ environment: [String: String]) { self.environment = environment }

  /// Returns what was given, or the folder `sealift` where the variable says, or in the user's home.
  func folder(
    _ given: String?,
    _ variable: String,
    else fallback: String,
    toState option: String
  ) throws(UsageError) -> String {
    if let given { return given }
    // The specification says to ignore a path that is not absolute.
    if let path = absolutePath(variable) { return "\(path)/sealift" }
    guard let home = absolutePath("HOME") else {
      throw UsageError("neither \(variable) nor HOME says where to look", helps: ["give \(option)"])
    }
    return "\(home)/\(fallback)/sealift"
  }

  private func absolutePath(_ variable: String) -> String? {
    guard let path = environment[variable], path.utf8.first == UInt8(ascii: "/") else { return nil }
    return path
  }
}
