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
    for name in try nameBytes().map({ String(decoding: $0, as: UTF8.self) }) {
      guard let status = try status(of: name) else {
        entries.append(Entry(name: name, kind: .other))
        continue
      }
      entries.append(Entry(name: name, kind: status.kind))
    }
    return entries
  }

  /// The names in this folder without `.` and `..` as the file system has them, sorted.
  func nameBytes() throws(SystemError) -> [[UInt8]] {
    let copy = try check("openat", in: descriptor) {
      unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard let stream = unsafe fdopendir(copy) else {
      let code = errno
      close(copy)
      throw SystemError("fdopendir", code: code, path: nil, in: descriptor)
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        let code = errno
        guard code == 0 else {
          throw SystemError("readdir", code: code, path: nil, in: descriptor)
        }
        break
      }
      names.append(unsafe bytes(of: entry))
    }
    return
      names
      .filter { $0 != Array(".".utf8) && $0 != Array("..".utf8) }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }
}

private func bytes(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
  let length = unsafe strlen(&entry.pointee.d_name.0)
  return unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0.prefix(length)) }
}
