import Glibc

/// Makes sure that this process can open as many descriptors as a tool needs from its start on.
///
/// Dispatch ends the process with a signal where it finds none left, so this comes before anything of it. Raises the
/// soft limit as far as it may; descriptors that the process was started with count too. The corresponding C
/// functions are `getrlimit` and `setrlimit`.
/// - Throws: A diagnostic with exit code 8 where there is too little room all the same.
func requireDescriptorRoom() throws(Diagnostic) {
  guard !hasRoom() else { return }
  var limit = rlimit()
  guard unsafe getrlimit(descriptorLimit, &limit) == 0 else { return }
  let (soft, hard) = (limit.rlim_cur, limit.rlim_max)
  limit.rlim_cur = min(hard, soft + neededRoom)
  if limit.rlim_cur > soft, unsafe setrlimit(descriptorLimit, &limit) == 0, hasRoom() { return }
  throw Diagnostic(
    .localFailure,
    "this process may open too few files",
    notes: [
      "the limit is \(soft), up to \(hard), and \(neededRoom) are needed beside those that are open already"
    ],
    helps: ["ulimit -n 256 raises the limit of a shell that may do so"]
  )
}

private let descriptorLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

/// The descriptors of a command that hashes and writes, with those of Dispatch.
private let neededRoom: rlim_t = 24

/// Whether so many descriptors can be opened: the lowest ones that are free, as the kernel gives them.
private func hasRoom() -> Bool {
  var open: [CInt] = []
  defer { for descriptor in open { close(descriptor) } }
  for _ in 0..<neededRoom {
    let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return false }
    open.append(descriptor)
  }
  return true
}
