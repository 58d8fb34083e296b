import Glibc

/// Lets another program take the place of this process; returns only by throwing.
///
/// The program is looked for as a shell would, and gets the environment of this process with `settings` on top.
/// Descriptors that are not to close on `exec` stay open. Signals are the caller's business. The corresponding C
/// functions are `setenv` and `execvp`; no other thread may read the environment meanwhile.
/// - Throws: `ENOENT` if there is no such program, `EACCES` if it may not be run, and what else `execve` says.
package func replaceProcess(
  with command: [String],
  settings: [(name: String, value: String)]
) throws(SystemError) -> Never {
  let program = try checkedPath(command.first ?? "", for: "execve")
  for (name, value) in settings {
    try check("setenv", name) { unsafe setenv(name, value, 1) }
  }
  var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
  unsafe execvp(program, &arguments)
  let code = errno
  for index in unsafe arguments.indices { unsafe free(arguments[index]) }
  throw SystemError("execve", code: code, path: program)
}
