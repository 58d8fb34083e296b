import Manifests
import SystemFiles

/// The folder into which files for other tools are written.
package struct ExportPlace: Sendable {
  /// What writing a file came to.
  package enum Outcome: String, Hashable, Sendable {
    case written
    /// The same bytes stand there already.
    case alreadyThere
  }

  private static let mode: UInt32 = 0o644

  private let folder: String
  private let replaces: Bool

  /// - Parameters:
  ///   - folder: The path of the folder, which is made where it is missing.
  ///   - replaces: Whether files with other bytes are replaced, unless nothing could make them again.
  package init(_ folder: String, replaces: Bool) {
    self.folder = folder
    self.replaces = replaces
  }

  /// Writes files, each at one instant; if one of them may not be written, none is.
  ///
  /// What a killed run left of a file goes when that file is written.
  /// - Returns: The path of each file, and whether it was written.
  /// - Throws: ``PublishingError/keptDocumentThere(_:_:)`` for what is never replaced,
  ///   ``PublishingError/exportThere(_:)`` for other bytes that are not to be replaced,
  ///   ``PublishingError/otherFileThere(_:)`` for what is no regular file, and `SystemError`.
  package func write(_ files: [ExportedFile]) throws -> [(path: String, outcome: Outcome)] {
    let folder = try Folder(creating: folder, mode: 0o755)
    try folder.lock()
    let outcomes = try files.map { try outcome(of: $0, in: folder) }
    for (file, outcome) in zip(files, outcomes) where outcome == .written {
      try folder.removeLeftovers(of: file.name)
      try folder.replaceFile(file.name, with: file.bytes, mode: Self.mode)
    }
    return zip(files, outcomes).map { (path(of: $0), $1) }
  }

  private func outcome(of file: ExportedFile, in folder: borrowing Folder) throws -> Outcome {
    guard let status = try folder.status(of: file.name) else { return .written }
    guard status.kind == .file else { throw PublishingError.otherFileThere(path(of: file)) }
    if status.size <= max(file.bytes.count, KeptDocument.longest) {
      let found = try folder.readFile(file.name, limit: status.size) ?? []
      if found == file.bytes { return .alreadyThere }
      if let document = KeptDocument(found), !file.isRenewal(of: document) {
        throw PublishingError.keptDocumentThere(path(of: file), document)
      }
    }
    guard replaces else { throw PublishingError.exportThere(path(of: file)) }
    return .written
  }

  private func path(of file: ExportedFile) -> String {
    folder == "." ? file.name : joined(folder, file.name)
  }
}
