import StrictJSON
import SystemFiles
import Trust

/// The repositories of this client: `repositories.json` in its configuration.
struct RepositoryFile {
  private let file: ConfigurationFile

  init(in folder: String) { file = ConfigurationFile("repositories.json", in: folder) }

  var path: String { file.path }

  /// Reads the list; where there is no file, there is no repository.
  func load() throws -> RepositoryList {
    guard let document = try file.load() else { return RepositoryList() }
    return try RepositoryList(document: document)
  }

  /// Changes the list as `edit` says, while no other process changes it.
  func change(_ edit: (RepositoryList) throws -> RepositoryList) throws {
    try file.change { try edit(try load()).document }
  }
}
