package import Manifests
import ModelFormats
import SystemFiles

/// The files that a release is to be made of, found but not yet read.
package struct SourceListing: Equatable, Sendable {
  /// In the order of their paths in the release.
  package let files: [SourceFile]
  /// The folder, if the release is all that is in one.
  package let folder: String?

  /// The release without files on this disk, for one whose files are declared.
  package init() { (files, folder) = ([], nil) }

  /// Finds what `paths` name: plain files, or exactly one folder with all that is in it.
  ///
  /// A file's path in the release is its name, or its path beneath the folder; of a bundle such as `NAME.mlpackage`,
  /// which is one model, the folder itself is part of it. What matches a pattern of `excluded`, by its path beneath the
  /// folder, is left out. Reads no file.
  /// - Throws: ``PublishingError``; ``PublishingError/unfit(_:)`` names everything that cannot be in a release:
  ///   links, special files, empty folders, and names that break a rule. `ManifestError` when two paths collide.
  package init(_ paths: [String], excluding excluded: [PathGlob] = []) throws {
    if paths.count == 1, let path = paths.first, try Self.kind(of: path) == .folder {
      let path = Self.withoutSlashes(path)
      var walk = FolderWalk(root: path, excluding: excluded)
      try walk.run()
      guard walk.unfit.isEmpty else { throw PublishingError.unfit(walk.unfit) }
      guard !walk.files.isEmpty else { throw PublishingError.emptyRelease(folder: path) }
      try self.init(files: Self.keeping(bundle: path, walk.files), folder: path)
    } else {
      try self.init(files: Self.files(at: paths), folder: nil)
    }
  }

  private init(files: [SourceFile], folder: String?) throws {
    var set = PathSet()
    for file in files { try set.insert(file.path) }
    self.files = files.sorted { $0.path < $1.path }
    self.folder = folder
  }

  /// The kind of what `path` names, a link itself unless it ends with a slash or leads to a folder.
  private static func kind(of path: String) throws -> FileStatus.Kind {
    do {
      return try Folder(path: path).status().kind
    } catch let error where error.isNotFound {
      let (parent, name) = splitPath(path)
      do {
        if !name.isEmpty, let status = try Folder(path: parent).status(of: name) {
          return status.kind
        }
      } catch let error where error.isNotFound {}
      throw PublishingError.nothingThere(path)
    }
  }

  private static func files(at paths: [String]) throws -> [SourceFile] {
    var files: [SourceFile] = []
    var unfit: [UnfitFile] = []
    for path in paths {
      let kind = try kind(of: path)
      guard kind != .folder else { throw PublishingError.folderAmongOthers(path) }
      let (parent, name) = splitPath(path)
      switch FolderWalk.judge(name, kind, at: name) {
      case .fit(let releasePath):
        let size = try Folder(path: parent).status(of: name)?.size ?? 0
        files.append(SourceFile(path: releasePath, size: size, folder: parent, location: name))
      case .unfit(let reason):
        unfit.append(UnfitFile(path: path, reason: reason))
      }
    }
    guard unfit.isEmpty else { throw PublishingError.unfit(unfit) }
    return files
  }

  /// Puts the files of a bundle beneath its name, since a runtime loads the folder.
  private static func keeping(bundle folder: String, _ files: [SourceFile]) throws -> [SourceFile] {
    let (_, name) = splitPath(folder)
    guard ModelBundle.kind(of: name) != nil else { return files }
    return try files.map { file in
      SourceFile(
        path: try RelativePath("\(name)/\(file.path)"),
        size: file.size,
        folder: file.folder,
        location: file.location
      )
    }
  }

  private static func withoutSlashes(_ path: String) -> String {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
