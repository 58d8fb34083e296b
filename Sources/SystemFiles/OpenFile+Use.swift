import CLinux
import Glibc
import Synchronization

/// Held while a lease is asked for, since what SIGIO does belongs to the whole process.
private let probe = Mutex(())

extension OpenFile {
  /// Whether another descriptor or a mapping, in whatever process, uses this file now.
  ///
  /// Asks the kernel for a lease and gives it back at once. A process that opens the file in between waits for that
  /// moment, and the signal that tells of it is ignored. Throws where the kernel does not say: `EACCES` for the file
  /// of another user, `EINVAL` on a file system without leases. The C function is `fcntl` with `F_SETLEASE`.
  package func isInUseElsewhere() throws(SystemError) -> Bool {
    try probe.withLock { _ throws(SystemError) -> Bool in
      let former = signal(SIGIO, SIG_IGN)
      defer { _ = signal(SIGIO, former) }
      guard try leaseIsGranted() else { return true }
      try check("fcntl", in: descriptor) {
        fcntl(descriptor, CInt(LINUX_F_SETLEASE), CInt(F_UNLCK))
      }
      return false
    }
  }

  /// Whether the kernel is sure that nobody else uses this file; false where it does not say.
  package func isOursAlone() -> Bool {
    do {
      return try !isInUseElsewhere()
    } catch {
      return false
    }
  }

  private func leaseIsGranted() throws(SystemError) -> Bool {
    do {
      try check("fcntl", in: descriptor) {
        fcntl(descriptor, CInt(LINUX_F_SETLEASE), CInt(F_WRLCK))
      }
      return true
    } catch let error where error.code == EAGAIN {
      return false
    }
  }
}
