import CommandLineKit
import StrictJSON
import SystemFiles

/// A document in the folder of this client's configuration.
///
/// What it says decides what is trusted, so nobody but its owner and root may be able to write it.
struct ConfigurationFile {
  private static let limit = 4 << 20

  let path: String
  private let folder: String
  private let name: String

  init(_ name: String, in folder: String) {
    self.name = name
    self.folder = folder
    path = "\(folder)/\(name)"
  }

  /// Reads the document; nil where there is none, but not where something stands in its way.
  ///
  /// - Throws: A diagnostic with exit code 8 for what is no folder, and for a link to nothing; `SystemError`.
  func load() throws -> JSONValue? {
    guard try isFolderThere() else { return nil }
    let folder = try Folder(path: folder)
    guard let status = try folder.status(of: name) else { return nil }
    try require(folder.status(), isOwnOf: self.folder)
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile(readingPlainFile: path)
    } catch {
      throw error.isNotFound && status.kind == .link ? linkToNothing(path) : error
    }
    try require(file.status(), isOwnOf: path)
    return try JSONReader.parse(try file.readAll(limit: Self.limit))
  }

  /// Whether the folder is there; nothing but its absence makes the document an absent one.
  private func isFolderThere() throws -> Bool {
    switch try Folder.kind(at: folder) {
    case .folder: return true
    case nil:
      let (parent, name) = splitPath(folder)
      guard try Folder.exists(parent), try Folder(path: parent).status(of: name) != nil else {
        return false
      }
      throw linkToNothing(folder)
    default:
      throw Diagnostic(
        .localFailure,
        kind: .noFolder,
        "\(folder) is no folder, and the configuration is one",
        helps: ["--config DIR, or the variable SEALIFT_CONFIG, names the folder"]
      )
    }
  }

  private func linkToNothing(_ path: String) -> any Error {
    Diagnostic(
      .localFailure,
      kind: .link,
      "\(path) is a symbolic link to nothing",
      helps: ["let it lead to what it stands for, or remove it"]
    )
  }

  /// Replaces the document by what `edit` makes of it, while no other process does the same.
  func change(_ edit: () throws -> JSONValue) throws {
    _ = try isFolderThere()
    let folder = try Folder(creating: folder, mode: 0o700)
    let lock = try FileLock.wait(
      for: "\(name).lock",
      in: folder,
      .exclusive,
      mode: 0o600,
      while: { !Task.isCancelled }
    )
    guard let lock else { throw CancellationError() }
    try folder.removeLeftovers(of: name)
    try folder.replaceFile(name, with: JSONWriter.pretty(try edit()), mode: 0o600)
    lock.release()
  }

  private func require(_ status: FileStatus, isOwnOf path: String) throws {
    let owners = [FileStatus.currentUser, 0]
    guard owners.contains(status.owner), status.mode & 0o022 == 0 else {
      throw Diagnostic(
        .localFailure,
        kind: .ownership,
        "\(path) can be written by others",
        notes: ["it belongs to user \(status.owner) and has mode \(String(status.mode, radix: 8))"],
        helps: ["own it and take write permission from others: chmod go-w"]
      )
    }
  }
}
