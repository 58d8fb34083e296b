import Glibc
package import SystemFiles

/// Makes a pipe with a name, which nobody writes to; the corresponding C function is `mkfifo`.
package func makePipe(at path: String) throws(SupportError) {
  guard unsafe mkfifo(path, 0o600) == 0 else { throw .failed(call: "mkfifo", code: errno) }
}

/// Makes an empty file in `folder` whose name is the byte 0xFF, which is no UTF-8; returns what removes it.
///
/// Nothing in Swift that takes a name as text can reach it.
package func makeFileWithoutText(in folder: String) throws(SupportError) -> () -> Void {
  let path = Array(folder.utf8CString.dropLast()) + [0x2f, -1, 0]
  let file = unsafe creat(path, 0o600)
  guard file >= 0 else { throw .failed(call: "creat", code: errno) }
  close(file)
  return { unsafe unlink(path) }
}

/// Makes a link to a target of any text.
package func makeLink(at path: String, to target: String) throws(SupportError) {
  guard unsafe symlink(target, path) == 0 else { throw .failed(call: "symlink", code: errno) }
}

/// Sets the permission bits of a file or folder; the corresponding C function is `chmod`.
package func setMode(of path: String, _ mode: UInt32) throws(SupportError) {
  guard unsafe chmod(path, mode) == 0 else { throw .failed(call: "chmod", code: errno) }
}

/// Changes the bytes of a file in place, in the same inode and with the same mode, even if it is read-only.
///
/// With `keepsTime` the time of its last change is set back, as one does who hides the change; the change
/// time of the inode cannot be.
package func rewrite(
  _ path: String,
  keepsTime: Bool = false,
  _ change: (inout [UInt8]) -> Void
) throws(SystemError) {
  let (parent, name) = splitPath(path)
  let folder = try Folder(path: parent)
  let reader = try folder.openFile(name)
  let status = try reader.status()
  var bytes = try reader.readAll(limit: 1 << 30)
  try reader.setMode(0o600)
  let writer = try folder.openFileForWriting(name)
  change(&bytes)
  try writer.setSize(bytes.count)
  try writer.write(bytes.span, at: 0)
  if keepsTime {
    let (seconds, rest) = status.modifiedAt.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(tv_sec: seconds, tv_nsec: rest)
    guard unsafe futimens(writer.descriptor, [time, time]) == 0 else {
      throw SystemError("futimens", code: errno, path: path)
    }
  }
  try writer.setMode(status.mode)
}
