import Manifests
import SystemFiles

/// Lists all that is beneath a folder, and everything that no release may have.
struct FolderWalk {
  /// What the rules say of one name.
  enum Verdict: Equatable {
    case fit(RelativePath)
    case unfit(UnfitFile.Reason)
  }

  private let root: String
  private let excluded: [PathGlob]
  private(set) var files: [SourceFile] = []
  private(set) var unfit: [UnfitFile] = []

  /// Prepares a walk that leaves out what matches one of the patterns, and all that is in such a folder.
  init(root: String, excluding excluded: [PathGlob] = []) {
    self.root = root
    self.excluded = excluded
  }

  /// Walks the folder, following no link, in the order of the bytes of the names.
  mutating func run() throws(SystemError) {
    try list(try Folder(path: root), at: "")
  }

  private mutating func list(_ folder: borrowing Folder, at prefix: String) throws(SystemError) {
    let entries = try folder.entries()
    if entries.isEmpty, !prefix.isEmpty {
      note(String(decoding: prefix.utf8.dropLast(), as: UTF8.self), .emptyFolder)
    }
    for entry in entries {
      let path = prefix + entry.name
      guard !excluded.contains(where: { $0.matches(path) }) else { continue }
      switch Self.judge(entry.name, entry.kind, at: path) {
      case .unfit(let reason):
        note(path, reason)
      case .fit where entry.kind == .folder:
        try list(try folder.openFolder(entry.name), at: path + "/")
      case .fit(let releasePath):
        let size = try folder.status(of: entry.name)?.size ?? 0
        files.append(SourceFile(path: releasePath, size: size, folder: root, location: path))
      }
    }
  }

  private mutating func note(_ path: String, _ reason: UnfitFile.Reason) {
    unfit.append(UnfitFile(path: joined(root, path), reason: reason))
  }

  /// Judges what stands at `path` in the release by its name and kind; names come first.
  static func judge(
    _ name: String,
    _ kind: FileStatus.Kind,
    at path: String
  ) -> Verdict {
    guard name.utf8.first != UInt8(ascii: ".") else { return .unfit(.hidden) }
    let releasePath: RelativePath
    do {
      releasePath = try RelativePath(path)
    } catch {
      guard case .text(let problem) = error else { return .unfit(.name(.empty)) }
      return .unfit(.name(problem.fault))
    }
    return switch kind {
    case .file, .folder: .fit(releasePath)
    case .link: .unfit(.link)
    case .other: .unfit(.special)
    }
  }
}
