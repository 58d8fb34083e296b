extension Folder {
  /// Opens the folder at `components`, one beneath the other, making each one that is missing.
  package func makeFolders(
    _ components: ArraySlice<String>,
    mode: UInt32
  ) throws(SystemError) -> Folder {
    guard let first = components.first else { return try openFolder(".") }
    return try makeFolder(first, mode: mode).makeFolders(components.dropFirst(), mode: mode)
  }

  /// Syncs every folder beneath this one, the deepest first, and then this one.
  package func syncTree() throws(SystemError) {
    for entry in try entries() where entry.kind == .folder {
      try openFolder(entry.name).syncTree()
    }
    try sync()
  }

  /// Moves all that is beneath this folder to `folder`, file by file, into new folders with `mode`.
  package func moveFiles(to folder: borrowing Folder, mode: UInt32) throws(SystemError) {
    for entry in try entries() {
      if entry.kind == .folder {
        try openFolder(entry.name).moveFiles(
          to: folder.makeFolder(entry.name, mode: mode),
          mode: mode
        )
      } else {
        try rename(entry.name, to: folder, entry.name)
      }
    }
  }

  /// Sets the permission bits of every folder beneath this one, the deepest first, and then of this one.
  ///
  /// A folder that has them already is left alone, since it may be another user's.
  package func setModeOfFolders(_ mode: UInt32) throws(SystemError) {
    for entry in try entries() where entry.kind == .folder {
      try openFolder(entry.name).setModeOfFolders(mode)
    }
    if try status().mode != mode { try setMode(mode) }
  }
}

extension Folder {
  /// The bytes that the file system has set aside for all files beneath this folder.
  package func allocatedSize() throws(SystemError) -> Int {
    var size = 0
    for entry in try entries() {
      switch entry.kind {
      case .folder: size += try openFolder(entry.name).allocatedSize()
      case .file: size += try status(of: entry.name)?.allocatedSize ?? 0
      case .link, .other: break
      }
    }
    return size
  }
}
