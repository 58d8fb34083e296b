import CLinux
import Glibc

/// Lets all other work of the machine go before that of this process, for good; only a hint.
///
/// Reads and writes wait until the disk has nothing else to do, and the processor is left to others. Every thread that is
/// there is asked, and those to come inherit it from the threads that make them. The corresponding calls are `ioprio_set`
/// with the idle class, and `setpriority`.
package func giveWay(niceness: Int = 10) {
  let threads = (try? Folder(path: "/proc/self/task").entries())?.compactMap { CInt($0.name) }
  for thread in threads ?? [0] {
    _ = linux_set_idle_io(thread)
    // The shim counts from 20, so that an error is below zero.
    let current = Int(linux_niceness(thread)) - 20
    if current >= -20, current < niceness { _ = linux_set_niceness(thread, CInt(niceness)) }
  }
}
