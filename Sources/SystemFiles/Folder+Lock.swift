import Glibc

extension Folder {
  /// Waits until no other process has locked this folder so, and locks it until this value ends.
  ///
  /// Goes on without a lock where the file system has none for folders. The corresponding C function is `flock`.
  /// - Returns: Whether there is a lock.
  @discardableResult
  package func lock() throws(SystemError) -> Bool {
    do {
      try check("flock", in: descriptor) { flock(descriptor, LOCK_EX) }
      return true
    } catch let error where [EBADF, ENOLCK, EOPNOTSUPP, ENOSYS].contains(error.code) {
      return false
    }
  }

  /// Whether some process is known to hold an exclusive lock on the file `name`.
  ///
  /// Writes nothing. False also for a user who must not open the file, and where the file system has no locks. The
  /// question takes a shared lock for a moment, which a process that takes the lock at that moment notices.
  package func isLocked(_ name: String) throws(SystemError) -> Bool {
    do {
      let file = try openFile(name)
      try check("flock", name, in: descriptor) { flock(file.descriptor, LOCK_SH | LOCK_NB) }
      return false
    } catch let error where error.code == EWOULDBLOCK {
      return true
    } catch let error where error.isNotFound || error.code == EACCES {
      return false
    } catch let error where [EBADF, ENOLCK, EOPNOTSUPP, ENOSYS].contains(error.code) {
      return false
    }
  }
}
