import Glibc

/// A system call that failed.
///
/// Two are equal if the call, the code and the path are; `place` and `isCreation` are for people.
package struct SystemError: Error, Sendable {
  /// The name of the C function or system call.
  package let call: String
  /// The `errno` value.
  package let code: CInt
  /// The path as it was given to the call, where there is one.
  package let path: String?
  /// The absolute path of what the call was about, as the kernel knows it, where it was beneath an open folder or
  /// was an open file.
  package private(set) var place: String?
  /// Whether a new name was to be made: what is missing then is nothing that a person named.
  package private(set) var isCreation = false

  package init(_ call: String, code: CInt, path: String? = nil) {
    self.call = call
    self.code = code
    self.path = path
  }

  /// A failure at `path` beneath the folder that is open as `descriptor`, or of the file that is.
  init(_ call: String, code: CInt, path: String?, in descriptor: CInt) {
    self.init(call, code: code, path: path)
    guard let base = openPath(of: descriptor) else { return }
    place = path.map { $0 == "." ? base : "\(base)/\($0)" } ?? base
  }

  /// The same failure, saying that it happened at `path` if it does not name a path of its own.
  package func at(_ path: String) -> SystemError { renamed(self.path ?? path) }

  /// The same failure with the whole path of what is named beneath the folder at `path`.
  package func beneath(_ path: String) -> SystemError {
    let whole = self.path.map { $0.utf8.first == UInt8(ascii: "/") ? $0 : "\(path)/\($0)" }
    return renamed(whole ?? path)
  }

  /// The same failure under another path, with its place.
  package func renamed(_ path: String) -> SystemError {
    var error = SystemError(call, code: code, path: path)
    (error.place, error.isCreation) = (place, isCreation)
    return error
  }

  /// The same failure, of a call that was to make a new name.
  func creating() -> SystemError {
    var error = self
    error.isCreation = true
    return error
  }

  /// What to call it in a message: the path as a person gave it, else the place, else what there is.
  package var subject: String? {
    path?.utf8.first == UInt8(ascii: "/") ? path : place ?? path
  }

  /// The system's own words for the code, such as `No space left on device`.
  package var reason: String { unsafe String(cString: strerror(code)) }

  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
  /// Nothing has the name, rather than something that is no folder standing in the way.
  package var isMissing: Bool { code == ENOENT }
  /// Something else than a plain file stood where one was to be opened: a folder, a pipe or a socket.
  package var isNoFile: Bool {
    [EINVAL, EISDIR, ENXIO].contains(code) && call.utf8.starts(with: "open".utf8)
  }
  /// A folder was read as if it were a file.
  package var isReadFolder: Bool { code == EISDIR && call.utf8.starts(with: "read".utf8) }
  /// What the call was given is not what the file, or its file system, takes.
  package var isInvalid: Bool { code == EINVAL }
  package var isTooLarge: Bool { code == EFBIG }
  package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }
  /// A link stood where none is followed, or the path left its folder.
  package var isEscape: Bool {
    code == ELOOP || code == EXDEV && call.utf8.starts(with: "open".utf8)
  }
  /// What was to be renamed or removed lies on another file system, or in a lower layer of this one.
  package var isElsewhere: Bool { code == EXDEV && !isEscape }
  /// The file system or the permissions allow no writing.
  package var isNotWritable: Bool { code == EROFS || code == EACCES || code == EPERM }
  /// The file system has no locks.
  package var isWithoutLocks: Bool {
    call.utf8.elementsEqual("flock".utf8)
      && [EBADF, ENOLCK, EOPNOTSUPP, ENOSYS].contains(code)
  }
  /// Another program listens at the address.
  package var isAddressTaken: Bool { code == EADDRINUSE }
  /// There is a name already where one was to be made.
  package var isTaken: Bool { code == EEXIST }
}

extension SystemError: Hashable {
  package static func == (one: SystemError, other: SystemError) -> Bool {
    one.code == other.code && one.call.utf8.elementsEqual(other.call.utf8)
      && one.path.map { Array($0.utf8) } == other.path.map { Array($0.utf8) }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(call)
    hasher.combine(path)
  }
}

/// The path under which the kernel knows an open file; nil where `/proc` is missing.
private func openPath(of descriptor: CInt) -> String? {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
  guard count > 0, buffer[0] == CChar(UInt8(ascii: "/")) else { return nil }
  return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Runs a call that returns -1 and sets `errno`, again for as long as signals interrupt it.
@discardableResult
func check<Result: SignedInteger>(
  _ call: String,
  _ path: String? = nil,
  in descriptor: CInt? = nil,
  _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    let code = errno
    if code != EINTR { throw failure(call, code, path, descriptor) }
  }
}

/// Runs a call of `CLinux`, which returns the negative error code, again after each signal.
@discardableResult
func checkLinux(
  _ call: String,
  _ path: String? = nil,
  in descriptor: CInt? = nil,
  _ body: () -> Int
) throws(SystemError) -> Int {
  while true {
    let result = body()
    if result >= 0 { return result }
    let code = CInt(truncatingIfNeeded: -result)
    if code != EINTR { throw failure(call, code, path, descriptor) }
  }
}

private func failure(
  _ call: String,
  _ code: CInt,
  _ path: String?,
  _ descriptor: CInt?
) -> SystemError {
  guard let descriptor else { return SystemError(call, code: code, path: path) }
  return SystemError(call, code: code, path: path, in: descriptor)
}

/// Refuses a path that C would cut short.
func checkedPath(_ path: String, for call: String) throws(SystemError) -> String {
  guard !path.isEmpty, !path.utf8.contains(0) else {
    throw SystemError(call, code: EINVAL, path: path)
  }
  return path
}
