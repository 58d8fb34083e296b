import CLinux
import Glibc

extension Folder {
  /// Removes `name` and, if it is a folder, all that is beneath it; that it is missing is no error.
  ///
  /// Follows no link and crosses no mount point, one of the same file system neither: what is mounted there is left
  /// as it is, and `EXDEV` thrown. Folders without write permission get it first. Names beneath it need not be text.
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
    let folder: Folder
    do {
      folder = Folder(descriptor: try openUnmounted(name, text))
    } catch let error where error.isNotFound || error.code == ELOOP {
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

  /// Opens the folder `name`; throws `EXDEV` if something is mounted there.
  ///
  /// Kernels without `openat2` leave bind mounts of the same file system unseen.
  func openUnmounted(_ name: [CChar], _ text: String) throws(SystemError) -> CInt {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let rules = UInt64(
      RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV
    )
    do {
      let result = try checkLinux("openat2", text, in: descriptor) {
        unsafe linux_openat2(descriptor, name, UInt64(flags), 0, rules)
      }
      return CInt(truncatingIfNeeded: result)
    } catch let error where error.code == EXDEV {
      throw SystemError("unlinkat", code: EXDEV, path: text, in: descriptor)
    } catch let error where error.code == ENOSYS {
      return try check("openat", text, in: descriptor) { unsafe openat(descriptor, name, flags) }
    }
  }

  private func unlink(_ name: [CChar], _ text: String, _ flags: CInt) throws(SystemError) {
    do {
      try check("unlinkat", text, in: descriptor) { unsafe unlinkat(descriptor, name, flags) }
    } catch let error where error.code == ENOENT {}
  }
}
