import Glibc

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable {
  /// The name of the C function or system call.
  package let call: String
  /// The `errno` value.
  package let code: CInt
  /// The path as it was given to the call, where there is one.
  package let path: String?

  package init(_ call: String, code: CInt, path: String? = nil) {
    self.call = call
    self.code = code
    self.path = path
  }

  /// The same failure, saying that it happened at `path` if it does not name a path of its own.
  package func at(_ path: String) -> SystemError {
    SystemError(call, code: code, path: self.path ?? path)
  }

  /// The same failure with the whole path of what is named beneath the folder at `path`.
  package func beneath(_ path: String) -> SystemError {
    let whole = self.path.map { $0.utf8.first == UInt8(ascii: "/") ? $0 : "\(path)/\($0)" }
    return SystemError(call, code: code, path: whole ?? path)
  }

  /// The system's own words for the code, such as `No space left on device`.
  package var reason: String { unsafe String(cString: strerror(code)) }

  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
  /// Nothing has the name, rather than something that is no folder standing in the way.
  package var isMissing: Bool { code == ENOENT }
  package var isTooLarge: Bool { code == EFBIG }
  package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }
  /// A link stood where none is followed, or the path left its folder.
  package var isEscape: Bool { code == ELOOP || code == EXDEV }
}

/// Runs a call that returns -1 and sets `errno`, again for as long as signals interrupt it.
@discardableResult
func check<Result: SignedInteger>(
  _ call: String,
  _ path: String? = nil,
  _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    let code = errno
    if code != EINTR { throw SystemError(call, code: code, path: path) }
  }
}

/// Runs a call of `CLinux`, which returns the negative error code, again after each signal.
@discardableResult
func checkLinux(
  _ call: String,
  _ path: String? = nil,
  _ body: () -> Int
) throws(SystemError) -> Int {
  while true {
    let result = body()
    if result >= 0 { return result }
    let code = CInt(truncatingIfNeeded: -result)
    if code != EINTR { throw SystemError(call, code: code, path: path) }
  }
}

/// Refuses a path that C would cut short.
func checkedPath(_ path: String, for call: String) throws(SystemError) -> String {
  guard !path.isEmpty, !path.utf8.contains(0) else {
    throw SystemError(call, code: EINVAL, path: path)
  }
  return path
}
