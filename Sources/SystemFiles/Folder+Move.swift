import CLinux
import Glibc

extension Folder {
  /// Moves those entries of this folder to `folder` that `isMoved` names, each at one instant and under its own name.
  ///
  /// Names need not be text. A folder without write permission gets it first, since it could not be given another
  /// parent. One in the lower layer of an overlay goes entry by entry; what is mounted here is left, and `EXDEV` thrown.
  /// - Returns: Whether anything was moved.
  package func moveEntries(
    to folder: borrowing Folder,
    where isMoved: (Entry) -> Bool = { _ in true }
  ) throws(SystemError) -> Bool {
    var hasMoved = false
    for bytes in try nameBytes() {
      let (name, text) = (
        bytes.map { CChar(bitPattern: $0) } + [0], String(decoding: bytes, as: UTF8.self)
      )
      var facts = stat()
      try check("fstatat", text, in: descriptor) {
        unsafe fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW)
      }
      let status = FileStatus(facts)
      guard isMoved(Entry(name: text, kind: status.kind)) else { continue }
      try move(name, text, status, to: folder)
      hasMoved = true
    }
    return hasMoved
  }

  private func move(
    _ name: [CChar],
    _ text: String,
    _ status: FileStatus,
    to folder: borrowing Folder
  ) throws(SystemError) {
    guard status.kind == .folder else { return try rename(name, text, to: folder) }
    let own = Folder(descriptor: try openUnmounted(name, text))
    if status.mode & 0o200 == 0 { try own.setMode(status.mode | 0o200) }
    do {
      try rename(name, text, to: folder)
    } catch let error where error.code == EXDEV {
      try check("mkdirat", text, in: folder.descriptor) {
        unsafe mkdirat(folder.descriptor, name, mode_t(0o700))
      }
      let copy = Folder(descriptor: try folder.openUnmounted(name, text))
      _ = try own.moveEntries(to: copy)
      try check("unlinkat", text, in: descriptor) {
        unsafe unlinkat(descriptor, name, AT_REMOVEDIR)
      }
    }
  }

  private func rename(
    _ name: [CChar],
    _ text: String,
    to folder: borrowing Folder
  ) throws(SystemError) {
    try check("renameat", text, in: folder.descriptor) {
      unsafe renameat(descriptor, name, folder.descriptor, name)
    }
  }
}
