import Glibc

/// The room that a file system has left for this user.
package struct FreeSpace: Hashable, Sendable {
  /// The bytes that can still be written, without the reserve that only root may use.
  package let bytes: Int
  /// The files that can still be made; nil where the file system keeps no count.
  package let files: Int?
}

extension Folder {
  /// The room left on the file system of this folder; the corresponding C function is `fstatvfs`.
  package func freeSpace() throws(SystemError) -> FreeSpace {
    var facts = statvfs()
    try check("fstatvfs", in: descriptor) { unsafe fstatvfs(descriptor, &facts) }
    let (bytes, overflow) = Int(clamping: facts.f_bavail)
      .multipliedReportingOverflow(by: Int(clamping: facts.f_frsize))
    return FreeSpace(
      bytes: overflow ? Int.max : bytes,
      files: facts.f_files == 0 ? nil : Int(clamping: facts.f_favail)
    )
  }
}
