import CLinux
import Glibc

/// The descriptors that a program gets as its 0, 1 and 2.
struct ChildStreams {
  /// Nil for an empty standard input.
  var input: CInt?
  let output: CInt
  let errors: CInt
}

/// The two ends of a pipe that a child does not inherit.
struct PipeEnds {
  private(set) var read: CInt = -1
  private(set) var write: CInt = -1

  mutating func open() throws(SystemError) {
    var ends: [CInt] = [-1, -1]
    let result = unsafe linux_pipe(&ends)
    guard result == 0 else { throw SystemError("pipe2", code: CInt(-result)) }
    (read, write) = (ends[0], ends[1])
  }

  mutating func closeWrite() {
    if write >= 0 { Glibc.close(write) }
    write = -1
  }

  mutating func close() {
    closeWrite()
    if read >= 0 { Glibc.close(read) }
    read = -1
  }
}

/// Starts a program with default signals, and leads its standard streams to `streams`.
///
/// The program at `path` is not searched for and gets a process group of its own, unless `isSearched`: then it is looked
/// for as a shell would, and stays in the group of this process, which may have the terminal. Without an
/// `environment` it gets that of this process. The corresponding C functions are `posix_spawn` and `posix_spawnp`.
///
/// This process then heeds `SIGCHLD` as by default: where it was started with that signal ignored, the kernel would reap
/// the program, and nobody could tell how it ended.
func spawn(
  _ path: String,
  _ arguments: [String],
  environment: [String]?,
  isSearched: Bool = false,
  _ streams: ChildStreams
) throws(SystemError) -> pid_t {
  let path = try checkedPath(path, for: "posix_spawn")
  signal(SIGCHLD, SIG_DFL)
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  if let input = streams.input {
    unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
  } else {
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  }
  unsafe posix_spawn_file_actions_adddup2(&actions, streams.output, 1)
  unsafe posix_spawn_file_actions_adddup2(&actions, streams.errors, 2)
  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  setDefaults(&attributes, hasOwnGroup: !isSearched)
  var child = pid_t()
  let code = unsafe withCStrings([path] + arguments) { arguments in
    unsafe withEnvironment(environment) { environment in
      unsafe isSearched
        ? posix_spawnp(&child, path, &actions, &attributes, arguments, environment)
        : posix_spawn(&child, path, &actions, &attributes, arguments, environment)
    }
  }
  guard code == 0 else { throw SystemError("posix_spawn", code: code, path: path) }
  return child
}

/// Whether a child has ended, which leaves it to be reaped; so has one that was reaped.
///
/// The corresponding C function is `waitid`.
func hasEnded(_ child: pid_t) -> Bool {
  var info = unsafe siginfo_t()
  let result = unsafe waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT)
  return result == 0 ? unsafe info.si_signo == SIGCHLD : errno == ECHILD
}

private func setDefaults(_ attributes: inout posix_spawnattr_t, hasOwnGroup: Bool) {
  var (none, all) = (sigset_t(), sigset_t())
  unsafe sigemptyset(&none)
  unsafe sigfillset(&all)
  unsafe posix_spawnattr_setsigmask(&attributes, &none)
  unsafe posix_spawnattr_setsigdefault(&attributes, &all)
  unsafe posix_spawnattr_setpgroup(&attributes, 0)
  let flags =
    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
  unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
}

private func withEnvironment(
  _ settings: [String]?,
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt
) -> CInt {
  guard let settings else { return unsafe body(environ) }
  return unsafe withCStrings(settings, body)
}
