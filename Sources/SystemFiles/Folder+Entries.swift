import Glibc

extension Folder {
  /// One name in a folder and what stands under it.
  package struct Entry: Hashable, Sendable {
    /// The name; bytes that are not UTF-8 are shown as U+FFFD, which no rule for names admits.
    package let name: String
    package let kind: FileStatus.Kind
  }

  /// The entries of this folder without `.` and `..`, sorted by the bytes of their names.
  package func entries() throws(SystemError) -> [Entry] {
    var entries: [Entry] = []
    for name in try names() {
      guard let status = try status(of: name) else {
        entries.append(Entry(name: name, kind: .other))
        continue
      }
      entries.append(Entry(name: name, kind: status.kind))
    }
    return entries
  }

  private func names() throws(SystemError) -> [String] {
    let copy = try check("openat") {
      unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard let stream = unsafe fdopendir(copy) else {
      let code = errno
      close(copy)
      throw SystemError("fdopendir", code: code)
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw SystemError("readdir", code: errno) }
        break
      }
      names.append(unsafe nameBytes(entry))
    }
    return
      names
      .filter { $0 != Array(".".utf8) && $0 != Array("..".utf8) }
      .sorted { $0.lexicographicallyPrecedes($1) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Removes `name` and, if it is a folder, all that is beneath it; that it is missing is no error.
  ///
  /// Follows no link and crosses no mount point. Folders without write permission get it first.
  package func removeTree(_ name: String) throws(SystemError) {
    guard let status = try status(of: name) else { return }
    guard status.kind == .folder else { return try removeFile(name) }
    let folder = try openFolder(name)
    let (own, its) = (try self.status(), try folder.status())
    guard own.identity.device == its.identity.device else {
      throw SystemError("unlinkat", code: EXDEV, path: name)
    }
    if its.mode & 0o700 != 0o700 { try folder.setMode(its.mode | 0o700) }
    for entry in try folder.names() { try folder.removeTree(entry) }
    do {
      try check("unlinkat", name) { unsafe unlinkat(descriptor, name, AT_REMOVEDIR) }
    } catch let error where error.code == ENOENT {}
  }
}

private func nameBytes(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
  let length = unsafe strlen(&entry.pointee.d_name.0)
  return unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0.prefix(length)) }
}
