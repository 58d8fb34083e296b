import CLinux
import Glibc

/// A kind of file system of which a store should know.
package enum FileSystemKind: Hashable, Sendable {
  /// One of those whose files change through the kernel of this machine alone, where their folder is of no server.
  case disk
  case local
  /// Layers of folders, of which those below cannot be moved.
  case overlay
  /// Files lie on another machine, or with a program: locks and mappings may fail in ways of their own.
  case network(String)

  init(type: Int) {
    let names = [
      0x6969: "NFS", 0xff53_4d42: "CIFS", 0xfe53_4d42: "SMB2", 0x517b: "SMB", 0x6573_5546: "FUSE",
      0x0bd0_0bd0: "Lustre", 0x0102_1997: "9P", 0x00c3_6400: "Ceph", 0x5346_414f: "AFS",
    ]
    // ext4, XFS, Btrfs and F2FS.
    let disks = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010]
    self =
      if let name = names[type] {
        .network(name)
      } else if disks.contains(type) {
        .disk
      } else {
        type == 0x794c_7630 ? .overlay : .local
      }
  }
}

extension Folder {
  /// What kind of file system holds this folder; the corresponding C function is `fstatfs`.
  package func fileSystemKind() throws(SystemError) -> FileSystemKind {
    FileSystemKind(
      type: try checkLinux("fstatfs", in: descriptor) { linux_filesystem_type(descriptor) }
    )
  }

  /// Gives the folder to a group; the corresponding C function is `fchown`.
  package func setGroup(_ group: UInt32) throws(SystemError) {
    try check("fchown", in: descriptor) { fchown(descriptor, UInt32.max, group) }
  }

  /// Sets an extended attribute of the folder, or takes it away; false where the file system has none.
  ///
  /// The corresponding C functions are `fsetxattr` and `fremovexattr`.
  @discardableResult
  package func setAttribute(_ name: String, to value: String?) throws(SystemError) -> Bool {
    do {
      if let value {
        let bytes = Array(value.utf8)
        try checkLinux("fsetxattr", name) {
          unsafe linux_fsetxattr(descriptor, name, bytes, bytes.count)
        }
      } else {
        try checkLinux("fremovexattr", name) { unsafe linux_fremovexattr(descriptor, name) }
      }
      return true
    } catch let error where [EOPNOTSUPP, ENOSYS, EPERM, EACCES].contains(error.code) {
      return false
    } catch let error where error.code == ENODATA {
      return true
    }
  }
}

/// The number of the group of this name, or of this number; nil if there is none.
///
/// The corresponding C function is `getgrnam_r`.
package func groupNumber(named name: String) throws(SystemError) -> UInt32? {
  let name = try checkedPath(name, for: "getgrnam_r")
  var entry = unsafe group()
  var found: UnsafeMutablePointer<group>? = nil
  var buffer = [CChar](repeating: 0, count: 64 * 1024)
  let code = unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found)
  if unsafe found != nil { return unsafe entry.gr_gid }
  if let number = UInt32(name) { return number }
  guard code == 0 || code == ENOENT else { throw SystemError("getgrnam_r", code: code) }
  return nil
}
