import Glibc

/// Takes root's rights from the whole process; it then is user and group 65534, or whoever it was already.
///
/// For the child of an exit test: root passes over permissions, so a test that wants to see them bite must be
/// somebody else. The corresponding C function is `setresuid`.
package func becomeOrdinaryUser() throws(SupportError) {
  guard geteuid() == 0 else { return }
  let nobody: uid_t = 65534
  guard setgroups(0, nil) == 0, setgid(nobody) == 0, setuid(nobody) == 0 else {
    throw .failed(call: "setuid", code: errno)
  }
  // Tools that look for leaks must be able to look at the process.
  let dumpable: CInt = 4
  guard let symbol = unsafe dlsym(nil, "prctl") else { return }
  typealias Control = @convention(c) (CInt, CUnsignedLong, CUnsignedLong) -> CInt
  _ = unsafe unsafeBitCast(symbol, to: Control.self)(dumpable, 1, 0)
}
