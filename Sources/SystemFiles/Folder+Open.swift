import CLinux
import Glibc

extension Folder {
  /// Opens what stands at the relative `path`, following no link and leaving this folder nowhere.
  ///
  /// Kernels and sandboxes without `openat2` get one `openat` for each component.
  func open(
    _ path: String,
    flags: CInt,
    mode: UInt32 = 0
  ) throws(SystemError) -> CInt {
    let path = try checkedPath(path, for: "openat2")
    let flags = flags | O_CLOEXEC | O_NOFOLLOW
    let rules = UInt64(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS)
    do {
      let result = try checkLinux("openat2", path, in: descriptor) {
        unsafe linux_openat2(descriptor, path, UInt64(flags), UInt64(mode), rules)
      }
      return CInt(truncatingIfNeeded: result)
    } catch let error where error.code == ENOSYS {
      return try openInSteps(path, flags: flags, mode: mode)
    }
  }

  /// Does what `openat2` does, one component after the other.
  package func openInSteps(
    _ path: String,
    flags: CInt,
    mode: UInt32
  ) throws(SystemError) -> CInt {
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    guard !parts.isEmpty, path.utf8.first != UInt8(ascii: "/"), !parts.contains("..") else {
      throw SystemError("openat", code: EXDEV, path: path)
    }
    return try openInSteps(parts[...], path, flags, mode)
  }

  private func openInSteps(
    _ parts: ArraySlice<String>,
    _ path: String,
    _ flags: CInt,
    _ mode: UInt32
  ) throws(SystemError) -> CInt {
    guard parts.count > 1 else { return try openStep(parts.first ?? ".", path, flags, mode) }
    let parent = Folder(descriptor: try openStep(parts.first ?? ".", path))
    return try parent.openInSteps(parts.dropFirst(), path, flags, mode)
  }

  private func openStep(
    _ name: String,
    _ path: String,
    _ flags: CInt = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW,
    _ mode: UInt32 = 0
  ) throws(SystemError) -> CInt {
    do {
      return try check("openat", path, in: descriptor) {
        unsafe openat(descriptor, name, flags, mode)
      }
    } catch let error where error.code == ENOTDIR {
      // With O_DIRECTORY, the kernel says of a link that it is no folder.
      guard try status(of: name)?.kind == .link else { throw error }
      throw SystemError("openat", code: ELOOP, path: path)
    }
  }
}
