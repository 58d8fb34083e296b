import Glibc

extension Folder {
  /// Replaces the file `name` so that readers, and a power cut, see the old bytes or the new ones.
  ///
  /// Writes a temporary name, syncs it, reads it back, renames it and syncs the folder. A failure leaves the old
  /// file, and so does a file system that kept something else than it was given, with `EIO`. Errors name the file and
  /// never the temporary name, which begins with `name` unless another is given.
  package func replaceFile(
    _ name: String,
    with bytes: [UInt8],
    mode: UInt32,
    through temporary: String? = nil
  ) throws(SystemError) {
    let temporary = temporary ?? "\(name).\(randomName())"
    do throws(SystemError) {
      let file = try createFile(temporary, mode: mode)
      try file.write(bytes.span, at: 0)
      try file.sync()
      file.dropCache()
      guard try file.readBlock(count: bytes.count + 1, at: 0) == bytes else {
        throw SystemError("pread", code: EIO, path: name, in: descriptor)
      }
      try rename(temporary, to: self, name)
    } catch {
      try? removeFile(temporary)
      throw SystemError(error.call, code: error.code, path: name, in: descriptor).creating()
    }
    try sync()
  }

  /// Removes what processes have left that were killed while they replaced `name`.
  ///
  /// The caller keeps others from replacing it meanwhile, whose work it would take away.
  package func removeLeftovers(of name: String) throws(SystemError) {
    for entry in try entries() where isTemporaryName(entry.name, of: name) && entry.kind == .file {
      try removeFile(entry.name)
    }
  }

  /// Reads the file at the relative `path` if it has at most `limit` bytes; nil if there is none.
  package func readFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8]? {
    do {
      return try openFile(path).readAll(limit: limit)
    } catch let error where error.code == ENOENT {
      return nil
    }
  }
}

/// Whether `entry` is the name under which a file is written that is to replace `name`: that name, a dot and 32 random
/// hexadecimal digits in lower case.
package func isTemporaryName(_ entry: String, of name: String) -> Bool {
  entry.utf8.starts(with: "\(name).".utf8) && entry.utf8.count == name.utf8.count + 33
    && entry.utf8.suffix(32).allSatisfy("0123456789abcdef".utf8.contains)
}

/// Reads the file at `path` if it has at most `limit` bytes; nil if there is none.
package func readFile(at path: String, limit: Int) throws(SystemError) -> [UInt8]? {
  let (folder, name) = splitPath(path)
  guard try Folder.exists(folder), try Folder(path: folder).status(of: name) != nil else {
    return nil
  }
  return try OpenFile(reading: path).readAll(limit: limit)
}

/// Replaces the file at `path` as ``Folder/replaceFile(_:with:mode:through:)`` does, and no device, pipe or socket.
///
/// Those throw `EOPNOTSUPP`: who names one wants the bytes to go through it, and would lose it.
package func replaceFile(
  at path: String,
  with bytes: [UInt8],
  mode: UInt32
) throws(SystemError) {
  let (parent, name) = splitPath(path)
  let folder = try Folder(path: parent)
  guard try folder.status(of: name)?.kind != .other else {
    throw SystemError("renameat", code: EOPNOTSUPP, path: path)
  }
  try folder.replaceFile(name, with: bytes, mode: mode)
}

/// The folder and the last component of a path.
package func splitPath(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
  let name = String(path[path.utf8.index(after: slash)...])
  return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
}
