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

  /// Reads the document; nil where there is none.
  func load() throws -> JSONValue? {
    guard try Folder.exists(folder) else { return nil }
    let folder = try Folder(path: folder)
    guard try folder.status(of: name) != nil else { return nil }
    try require(folder.status(), isOwnOf: self.folder)
    let file = try OpenFile(readingPlainFile: path)
    try require(file.status(), isOwnOf: path)
    return try JSONReader.parse(try file.readAll(limit: Self.limit))
  }

  /// Replaces the document by what `edit` makes of it, while no other process does the same.
  func change(_ edit: () throws -> JSONValue) throws {
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
