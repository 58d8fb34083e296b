import Glibc
package import SystemFiles

extension OpenFile {
  /// Creates the file at `path` for reading and writing, which must not exist yet, with exactly `mode`.
  package init(creating path: String, mode: UInt32) throws(SystemError) {
    let (folder, name) = splitPath(path)
    self = try Folder(path: folder).createFile(name, mode: mode)
  }

  /// Sets the length; the corresponding C function is `ftruncate`.
  package func setSize(_ size: Int) throws(SystemError) {
    guard ftruncate(descriptor, size) == 0 else { throw SystemError("ftruncate", code: errno) }
  }
}
