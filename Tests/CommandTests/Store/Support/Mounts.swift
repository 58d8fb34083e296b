import Glibc
import TestSupport

/// Mounts something for as long as `body` runs; the words are those of `mount`, the place last.
func whileMounted(_ words: [String], _ body: () async throws -> Void) async throws {
  guard let mount = Tool.installed("mount"), let place = words.last
  else { throw SupportError.noProgram("mount") }
  let outcome = try await mount.run(words)
  guard outcome.ending == .exited(0) else {
    throw SupportError.programFailed("mount", message: outcome.errors)
  }
  do {
    try await body()
  } catch {
    try? await unmountFolder(place)
    throw error
  }
  try await unmountFolder(place)
}

/// Unmounts what is mounted on a folder.
///
/// A child that another test is just starting may hold it for a moment, so it is tried often; in the end it is taken out
/// of sight and an error thrown.
func unmountFolder(_ place: String) async throws {
  guard let unmount = Tool.installed("umount") else { throw SupportError.noProgram("umount") }
  for _ in 1...100 where try await unmount.run([place]).ending == .exited(0) { return }
  let outcome = try await unmount.run(["-l", place])
  throw SupportError.programFailed("umount", message: "\(place) is busy\n\(outcome.errors)")
}

/// Whether this process may mount, as root in a container often may not; if not, says so.
func mayMount() async -> Bool {
  do {
    guard geteuid() == 0 else { throw SupportError.failed(call: "mount", code: EPERM) }
    try await TemporaryFolder.withFolder {
      try await whileMounted(["-t", "tmpfs", "tmpfs", TemporaryFolder.current]) {}
    }
    return true
  } catch {
    print("notice: nothing is mounted: \(error)")
    return false
  }
}

/// Whether a program is there; if not, says what is skipped.
func has(_ program: String) -> Bool {
  if Tool.installed(program) != nil { return true }
  print("notice: \(program) is not installed, and what needs it is skipped")
  return false
}
