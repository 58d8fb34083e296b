package import SystemFiles

/// Everything beneath a folder at one moment, by its path from there.
package struct DiskTree: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package let status: FileStatus
    /// What a link names.
    package let target: String?
  }

  package private(set) var entries: [String: Entry] = [:]

  /// Looks at all that is beneath the folder at `path`, following no link.
  ///
  /// Two looks are equal if nothing was made, removed, moved, written or changed in its mode in between.
  package init(at path: String) throws(SystemError) {
    try collect(try Folder(path: path), at: "")
  }

  private mutating func collect(
    _ folder: borrowing Folder,
    at prefix: String
  ) throws(SystemError) {
    for entry in try folder.entries() {
      guard let status = try folder.status(of: entry.name) else { continue }
      let target = status.kind == .link ? try folder.linkTarget(entry.name) : nil
      entries[prefix + entry.name] = Entry(status: status, target: target)
      if status.kind == .folder {
        try collect(try folder.openFolder(entry.name), at: "\(prefix)\(entry.name)/")
      }
    }
  }

  /// A line for each entry, sorted by path: `0755 folder/`, `0644 file`, `link -> target`.
  package var lines: [String] {
    let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return sorted.map { path, entry in
      let mode = String(entry.status.mode, radix: 8)
      let digits = String(repeating: "0", count: max(0, 4 - mode.utf8.count)) + mode
      return switch entry.status.kind {
      case .folder: "\(digits) \(path)/"
      case .link: "\(path) -> \(entry.target ?? "")"
      case .file, .other: "\(digits) \(path)"
      }
    }
  }
}
