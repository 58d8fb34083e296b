import Glibc
import SystemFiles

/// The streams that a child gets as its descriptors 0, 1 and 2.
struct ChildStreams {
  let input: Descriptor
  let output: Descriptor
  let errors: Descriptor
}

/// Starts a program in a process group of its own, with default signals and no descriptor but its streams.
///
/// The corresponding C function is `posix_spawn`.
func spawn(
  _ tool: Tool,
  _ arguments: [String],
  _ streams: ChildStreams
) throws(SupportError) -> pid_t {
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  unsafe posix_spawn_file_actions_adddup2(&actions, streams.input.number, 0)
  unsafe posix_spawn_file_actions_adddup2(&actions, streams.output.number, 1)
  unsafe posix_spawn_file_actions_adddup2(&actions, streams.errors.number, 2)
  // Another thread may just have opened a socket; inherited, it would stay open after its end there.
  let closeFrom = unsafe try hidden(
    "posix_spawn_file_actions_addclosefrom_np",
    as: CloseFrom.self
  )
  _ = unsafe closeFrom(&actions, 3)
  if let folder = tool.folder {
    let change = unsafe try hidden(
      "posix_spawn_file_actions_addchdir_np",
      as: ChangeFolder.self
    )
    _ = unsafe change(&actions, folder)
  }

  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  setDefaults(&attributes)

  var process = pid_t()
  let environment = tool.environment.map { "\($0.key)=\($0.value)" }
  let command = tool.command(arguments)
  let code = unsafe withCStrings(command.arguments) { arguments in
    unsafe withCStrings(environment) { environment in
      unsafe posix_spawn(&process, command.path, &actions, &attributes, arguments, environment)
    }
  }
  guard code == 0 else { throw .failed(call: "posix_spawn", code: code) }
  return process
}

private func setDefaults(_ attributes: inout posix_spawnattr_t) {
  var (none, all) = (sigset_t(), sigset_t())
  unsafe sigemptyset(&none)
  unsafe sigfillset(&all)
  unsafe posix_spawnattr_setsigmask(&attributes, &none)
  unsafe posix_spawnattr_setsigdefault(&attributes, &all)
  unsafe posix_spawnattr_setpgroup(&attributes, 0)
  let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
  unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
}

private typealias CloseFrom =
  @convention(c) (
    UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt
  ) -> CInt

private typealias ChangeFolder =
  @convention(c) (
    UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>
  ) -> CInt

/// A function that the C library has but its headers show only with `_GNU_SOURCE`.
private func hidden<Function>(
  _ name: String,
  as type: Function.Type
) throws(SupportError) -> Function {
  guard let symbol = unsafe dlsym(nil, name) else { throw .failed(call: name, code: ENOSYS) }
  return unsafe unsafeBitCast(symbol, to: type)
}
