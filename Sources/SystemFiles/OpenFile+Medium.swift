import CLinux
import Glibc

// What the file system says of how a file lies on its medium.
extension OpenFile {
  /// Whether what is read or written with `O_DIRECT` goes past the page cache.
  ///
  /// Some file systems take the flag and use the cache all the same, such as ext4 where it journals data. False where the
  /// file system, or a kernel before 6.1, does not say. The C function is `statx` with `STATX_DIOALIGN`.
  package func goesPastPageCache() throws(SystemError) -> Bool {
    try checkLinux("statx", in: descriptor) { linux_direct_alignment(descriptor) } > 0
  }

  /// Where the first hole of the file begins: its size if it has none, or if the file system knows none.
  ///
  /// Moves the place at which reads without an offset would go on. The C function is `lseek` with `SEEK_HOLE`.
  package func firstHole() throws(SystemError) -> Int {
    try check("lseek", in: descriptor) { lseek(descriptor, 0, CInt(LINUX_SEEK_HOLE)) }
  }
}
