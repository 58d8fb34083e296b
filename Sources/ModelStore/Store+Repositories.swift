package import SystemFiles
package import Trust

/// Folders for what a client knows of repositories: their contents are another module's, and never verified here.
extension Store {
  /// The permission bits of what is kept of repositories, which follow from who may use the store.
  package var repositoryModes: (folder: UInt32, file: UInt32, lockFile: UInt32) {
    (kind.folder, kind.stateFile, kind.lockFile)
  }

  /// Opens the folder of a repository, making it where it is missing.
  package func repositoryFolder(_ name: RepositoryName) throws(SystemError) -> Folder {
    let repositories = try root.makeFolder(StoreLayout.repositories, mode: kind.folder)
    let folder = try repositories.makeFolder(name.text, mode: kind.folder)
    try repositories.sync()
    try root.sync()
    return folder
  }

  /// Opens the folder of a repository; nil if there is none.
  package func existingRepositoryFolder(_ name: RepositoryName) throws(SystemError) -> Folder? {
    try root.openFolderIfPresent("\(StoreLayout.repositories)/\(name.text)")
  }

  /// Forgets what is known of a repository, all of it at one instant; that it is missing is no error.
  ///
  /// The caller keeps those out who follow the repository. What a killed process has left of this goes too.
  package func removeRepository(_ name: RepositoryName) throws(SystemError) {
    guard let repositories = try root.openFolderIfPresent(StoreLayout.repositories) else { return }
    if try repositories.status(of: name.text) != nil {
      try repositories.rename(name.text, to: repositories, Self.doomedPrefix + randomName())
      try repositories.sync()
    }
    for entry in try repositories.entries()
    where entry.name.utf8.starts(with: Self.doomedPrefix.utf8) {
      try repositories.removeTree(entry.name)
    }
  }

  /// The names of the repositories of which something is known.
  package func repositoryNames() throws(SystemError) -> [RepositoryName] {
    guard let repositories = try root.openFolderIfPresent(StoreLayout.repositories) else {
      return []
    }
    return try repositories.entries().filter { $0.kind == .folder }
      .compactMap { try? RepositoryName($0.name) }.sorted()
  }

  /// No name of a repository begins so.
  private static let doomedPrefix = ".gone-"
}
