import CLinux

/// Keeps the memory of this process to itself from here on: no core dump is made, and no other process of this user may
/// trace it or read its memory, its environment or its descriptors.
///
/// Stands before the first secret. It is for good, since freed memory may still hold what it held. Root sees everything
/// all the same. The soft limit for core dumps becomes 0 too, which programs that are started from here inherit. A crash
/// prints no backtrace any more: that of the Swift runtime shows registers and the memory that they point to. The
/// corresponding system calls are `prctl` with `PR_SET_DUMPABLE`, `prlimit64` and `sigaction`.
package func keepMemoryPrivate() {
  // A kernel that refuses leaves the guarded memory, which no core dump contains either.
  _ = linux_forbid_dumps()
  _ = linux_limit_cores()
  linux_forget_crash_handlers()
}
