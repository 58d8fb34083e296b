import Glibc

extension OpenFile {
  /// Takes over the descriptor `number`, which whoever started this process has opened for it.
  ///
  /// What this process opens itself is closed when another program starts, so it cannot be taken by mistake.
  /// - Throws: `SystemError` with `EBADF` if there is no such descriptor.
  package init(inherited number: CInt) throws(SystemError) {
    let flags = try check("fcntl") { fcntl(number, F_GETFD) }
    guard flags & FD_CLOEXEC == 0 else { throw SystemError("fcntl", code: EBADF) }
    self.init(descriptor: number)
  }
}
