import CLinux
import Glibc

extension OpenFile {
  /// Lets a range of this file share the blocks of a range of `other`, where the file system can do that.
  ///
  /// Both ranges must be aligned to blocks, or end with the file. The corresponding system call is `ioctl` with
  /// `FICLONERANGE`.
  /// - Returns: Whether the bytes are there now; if not, nothing has changed.
  package func share(
    _ count: Int,
    of other: borrowing OpenFile,
    from source: Int,
    at offset: Int
  ) -> Bool {
    linux_clone_range(other.descriptor, UInt64(source), UInt64(count), descriptor, UInt64(offset))
      == 0
  }

  /// Returns once the contents are on the medium; the corresponding C function is `fdatasync`.
  ///
  /// After an error the contents are unknown and must be discarded: a second call may report success.
  package func syncData() throws(SystemError) {
    try check("fdatasync", in: descriptor) { fdatasync(descriptor) }
  }
}

extension SystemError {
  /// What `flock` says of a file that another process has locked.
  package static let wouldBlock = EWOULDBLOCK
  /// What opening a plain file says of what is none.
  package static let invalidArgument = EINVAL
  /// The medium, or what should be on it, is damaged.
  package static let inputOutput = EIO
}
