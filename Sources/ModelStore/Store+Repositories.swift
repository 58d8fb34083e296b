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

  /// Forgets what is known of a repository; that it is missing is no error.
  package func removeRepository(_ name: RepositoryName) throws(SystemError) {
    guard let repositories = try root.openFolderIfPresent(StoreLayout.repositories) else { return }
    try repositories.removeTree(name.text)
    try repositories.sync()
  }
}
