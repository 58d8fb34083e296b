import CLinux
import Glibc

/// An open folder: every name used with it is resolved beneath it, and no link on the way is followed.
package struct Folder: ~Copyable, Sendable {
  package let descriptor: CInt

  init(descriptor: CInt) { self.descriptor = descriptor }

  deinit { Glibc.close(descriptor) }

  /// Opens the folder at `path`, which may itself be reached through links.
  package init(path: String) throws(SystemError) {
    let path = try checkedPath(path, for: "open")
    descriptor = try check("open", path) {
      unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
  }

  /// Opens the folder at `path`, making it and its parents where they are missing.
  ///
  /// Only the last folder gets `mode`; parents that are made get `0o755` less the umask. The names of the
  /// folders that are made are on the medium when this returns.
  package init(creating path: String, mode: UInt32) throws(SystemError) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    var prefix = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
    for (index, part) in parts.enumerated() {
      prefix += index == 0 ? String(Substring(part)) : "/" + String(Substring(part))
      let isLast = index == parts.count - 1
      let name = try checkedPath(prefix, for: "mkdir")
      do {
        try check("mkdir", name) { unsafe mkdir(name, isLast ? mode : 0o755) }
        if isLast { try Folder(path: name).setMode(mode) }
        try Folder(path: splitPath(name).folder).sync()
      } catch let error where error.code == EEXIST || error.code == EISDIR {
      } catch {
        throw error.creating()
      }
    }
    // What stands there may be a link to nothing.
    let folder: Folder
    do throws(SystemError) { folder = try Folder(path: path) } catch { throw error.creating() }
    self = folder
  }

  /// Whether there is a folder at `path`, which may be reached through links.
  package static func exists(_ path: String) throws(SystemError) -> Bool {
    try kind(at: path) == .folder
  }

  /// What stands at `path`, which may be reached through links; nil if nothing does.
  package static func kind(at path: String) throws(SystemError) -> FileStatus.Kind? {
    let path = try checkedPath(path, for: "fstatat")
    var facts = stat()
    do {
      try check("fstatat", path) { unsafe fstatat(AT_FDCWD, path, &facts, 0) }
    } catch let error where error.isNotFound {
      return nil
    }
    return FileStatus(facts).kind
  }

  package func status() throws(SystemError) -> FileStatus {
    var facts = stat()
    try check("fstat", in: descriptor) { unsafe fstat(descriptor, &facts) }
    return FileStatus(facts)
  }

  /// Sets the permission bits, whatever the umask.
  package func setMode(_ mode: UInt32) throws(SystemError) {
    try check("fchmod", in: descriptor) { fchmod(descriptor, mode) }
  }

  /// Returns once the names in this folder are on the medium; the corresponding C function is `fsync`.
  package func sync() throws(SystemError) {
    try check("fsync", in: descriptor) { fsync(descriptor) }
  }

  /// Opens the folder at the relative `path`.
  package func openFolder(_ path: String) throws(SystemError) -> Folder {
    Folder(descriptor: try open(path, flags: O_RDONLY | O_DIRECTORY))
  }

  /// Opens the folder at the relative `path`; nil if there is none.
  package func openFolderIfPresent(_ path: String) throws(SystemError) -> Folder? {
    do {
      return try openFolder(path)
    } catch let error where error.isNotFound {
      return nil
    }
  }

  /// Makes the empty file `name` with exactly `mode`, unless it is there.
  package func makeEmptyFile(_ name: String, mode: UInt32) throws(SystemError) {
    do {
      _ = try createFile(name, mode: mode)
    } catch let error where error.code == EEXIST {}
  }

  /// Opens the folder `name`, making it with `mode` if it is missing.
  package func makeFolder(_ name: String, mode: UInt32) throws(SystemError) -> Folder {
    do {
      try createFolder(name, mode: mode)
    } catch let error where error.code == EEXIST {}
    return try openFolder(name)
  }

  /// Makes the folder `name`, which must not exist, with exactly `mode`.
  package func createFolder(_ name: String, mode: UInt32) throws(SystemError) {
    let name = try checkedPath(name, for: "mkdirat")
    try check("mkdirat", name, in: descriptor) { unsafe mkdirat(descriptor, name, mode) }
    try openFolder(name).setMode(mode)
  }

  /// Opens the file at the relative `path` for reading.
  ///
  /// Throws `EINVAL` for what is not a plain file.
  package func openFile(_ path: String) throws(SystemError) -> OpenFile {
    // Without O_NONBLOCK, opening a FIFO would wait for its writer.
    let file = OpenFile(descriptor: try open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY))
    guard try file.status().kind == .file else {
      throw SystemError("openat2", code: EINVAL, path: path, in: descriptor)
    }
    return file
  }

  /// Opens the file at the relative `path` for reading and writing.
  ///
  /// Throws `EINVAL` for what is not a plain file.
  package func openFileForWriting(_ path: String) throws(SystemError) -> OpenFile {
    let file = OpenFile(descriptor: try open(path, flags: O_RDWR | O_NONBLOCK | O_NOCTTY))
    guard try file.status().kind == .file else {
      throw SystemError("openat2", code: EINVAL, path: path, in: descriptor)
    }
    return file
  }

  /// Opens the file at the relative `path` for writing and reading past the page cache; nil where the file system cannot.
  ///
  /// What is written, or read into, must lie in memory at a multiple of 4,096 bytes, as must its place and its length: else
  /// the call throws `EINVAL`. The flag of `open` is `O_DIRECT`.
  package func openFileForDirectWriting(_ path: String) throws(SystemError) -> OpenFile? {
    let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | CInt(LINUX_O_DIRECT)
    do {
      return OpenFile(descriptor: try open(path, flags: flags))
    } catch let error where error.isInvalid {
      return nil
    }
  }

  /// Makes the file at the relative `path`, which must not exist, with exactly `mode`.
  package func createFile(_ path: String, mode: UInt32) throws(SystemError) -> OpenFile {
    let descriptor: CInt
    do throws(SystemError) {
      descriptor = try open(path, flags: O_RDWR | O_CREAT | O_EXCL, mode: mode)
    } catch {
      throw error.creating()
    }
    let file = OpenFile(descriptor: descriptor)
    try file.setMode(mode)
    return file
  }

  /// Opens the file at the relative `path` for reading and writing, making it with exactly `mode` if it is
  /// missing.
  func makeFile(_ path: String, mode: UInt32) throws(SystemError) -> OpenFile {
    do {
      return try createFile(path, mode: mode)
    } catch let error where error.code == EEXIST {}
    return try openFileForWriting(path)
  }
}
