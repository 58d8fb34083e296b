import Glibc

extension Folder {
  /// Removes `name` and, if it is a folder, all that is beneath it; that it is missing is no error.
  ///
  /// Follows no link and crosses no mount point. Folders without write permission get it first. Names beneath
  /// it need not be text.
  package func removeTree(_ name: String) throws(SystemError) {
    try removeTree(bytes: Array(checkedPath(name, for: "unlinkat").utf8))
  }

  private func removeTree(bytes: [UInt8]) throws(SystemError) {
    let (name, text) = (
      bytes.map { CChar(bitPattern: $0) } + [0], String(decoding: bytes, as: UTF8.self)
    )
    let isFolder = try emptyFolder(name, text)
    try unlink(name, text, isFolder ? AT_REMOVEDIR : 0)
  }

  /// Removes all that is in the folder `name`; false if no folder has that name.
  private func emptyFolder(_ name: [CChar], _ text: String) throws(SystemError) -> Bool {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let folder: Folder
    do {
      let opened = try check("openat", text, in: descriptor) {
        unsafe openat(descriptor, name, flags)
      }
      folder = Folder(descriptor: opened)
    } catch let error where error.isNotFound || error.isEscape {
      return false
    }
    let (own, its) = (try status(), try folder.status())
    guard own.identity.device == its.identity.device else {
      throw SystemError("unlinkat", code: EXDEV, path: text)
    }
    if its.mode & 0o700 != 0o700 { try folder.setMode(its.mode | 0o700) }
    for inner in try folder.nameBytes() { try folder.removeTree(bytes: inner) }
    return true
  }

  private func unlink(_ name: [CChar], _ text: String, _ flags: CInt) throws(SystemError) {
    do {
      try check("unlinkat", text, in: descriptor) { unsafe unlinkat(descriptor, name, flags) }
    } catch let error where error.code == ENOENT {}
  }
}
