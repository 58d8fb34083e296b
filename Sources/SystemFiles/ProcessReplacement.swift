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
  let code = unsafe withCStrings(command) { arguments in
    unsafe execvp(program, arguments)
    return errno
  }
  throw SystemError("execve", code: code, path: program)
}

/// Throws the `ENOENT` of ``replaceProcess(with:settings:)`` if there is no such program, before anything is done for it.
///
/// Says nothing of whether it may be run. The corresponding C function is `access`.
package func requireProgram(_ program: String) throws(SystemError) {
  let program = try checkedPath(program, for: "execve")
  guard !program.utf8.contains(UInt8(ascii: "/")) else { return try requireEntry(program) }
  let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/bin:/usr/bin"
  for folder in path.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
    let place = folder.isEmpty ? program : "\(Substring(folder))/\(program)"
    do throws(SystemError) { return try requireEntry(place) } catch {
      // What cannot be looked into is for execve to judge.
      guard error.isNotFound else { return }
    }
  }
  throw SystemError("execve", code: ENOENT, path: program)
}

private func requireEntry(_ path: String) throws(SystemError) {
  try check("execve", path) { unsafe access(path, F_OK) }
}
