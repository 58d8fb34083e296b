import Glibc

extension OpenFile {
  /// Locks the file for this process until it is closed; false if another has it.
  ///
  /// Goes on without a lock where the file system has none. The corresponding C function is `flock`.
  package func lockIfFree() throws(SystemError) -> Bool {
    do {
      try check("flock", in: descriptor) { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch let error where error.code == EWOULDBLOCK {
      return false
    } catch let error where [EBADF, ENOLCK, EOPNOTSUPP, ENOSYS].contains(error.code) {
      return true
    }
  }
}
