import Manifests
package import SystemFiles

extension StoredModel {
  /// Whether the folder of a version can be written that must not be, as one that a killed process was changing.
  func isWritable(_ name: VersionName) throws -> Bool {
    guard kind.publishedFolder & 0o200 == 0 else { return false }
    let versions = try folder.openFolder(StoreLayout.versions)
    guard let status = try versions.status(of: name.text) else { return false }
    return status.mode != kind.publishedFolder
  }

  /// Makes the folder of a version read-only again; the caller holds the state lock.
  func closeFolder(of name: VersionName) throws {
    try folder.openFolder("\(StoreLayout.versions)/\(name.text)").setMode(kind.publishedFolder)
  }

  /// Gives everything in a version the mode of what is published; the caller holds the state lock.
  ///
  /// What is somebody else's, cannot be opened or has a second name elsewhere is left as it is: whether its bytes are
  /// right is another question.
  func restoreModes(of name: VersionName, _ paths: [RelativePath]) throws(SystemError) {
    let version = try folder.openFolder("\(StoreLayout.versions)/\(name.text)")
    do {
      try version.setModeOfFolders(kind.publishedFolder)
    } catch let error where error.isNotWritable {}
    let names = [StoreLayout.manifest] + paths.map { "\(StoreLayout.files)/\($0.text)" }
    for path in names { try restoreMode(of: path, in: version) }
  }

  private func restoreMode(of path: String, in version: borrowing Folder) throws(SystemError) {
    do {
      let file = try version.openFile(path)
      let status = try file.status()
      guard status.mode != kind.publishedFile, status.linkCount == 1 else { return }
      try file.setMode(kind.publishedFile)
    } catch let error where error.isAboutFile {}
  }
}

extension SystemError {
  /// Whether the failure is a word about the file itself, and not about this process or machine.
  package var isAboutFile: Bool {
    isNotFound || isEscape || isNoFile || isNotWritable || code == Self.inputOutput
  }
}

extension Release {
  var paths: [RelativePath] { files.map(\.path) }
}
