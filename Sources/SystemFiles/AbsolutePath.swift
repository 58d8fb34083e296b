import Glibc

/// Returns `path` from the root, for a path that another program is to use in a folder of its own.
///
/// A path that is not absolute starts at the working folder. Nothing is looked up: links and `..` stay as they
/// are. Throws `EINVAL` for a path that C would cut short, and what `getcwd` says.
package func absolutePath(_ path: String) throws(SystemError) -> String {
  let path = try checkedPath(path, for: "getcwd")
  guard path.utf8.first != UInt8(ascii: "/") else { return path }
  let parts = path.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
  let folder = try workingFolder()
  let start = folder.utf8.last == UInt8(ascii: "/") ? String(folder.dropLast()) : folder
  return parts.isEmpty ? folder : parts.reduce(start) { "\($0)/\(String(Substring($1)))" }
}

private func workingFolder() throws(SystemError) -> String {
  guard let path = unsafe getcwd(nil, 0) else { throw SystemError("getcwd", code: errno) }
  defer { unsafe free(path) }
  guard let text = unsafe String(validatingCString: path) else {
    throw SystemError("getcwd", code: EILSEQ)
  }
  return text
}
