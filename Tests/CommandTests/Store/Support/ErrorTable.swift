import Glibc

/// What system calls are made to answer, and how a command must take it.
enum ErrorTable {
  enum Demand: Hashable, Sendable {
    /// The command does what it was to do all the same.
    case succeeds
    /// The command ends with exit code 8, or does what it was to do without this call.
    case failsOrSucceeds
    /// The command ends with exit code 8.
    case fails
  }

  struct Row: Hashable, Sendable, CustomStringConvertible {
    let call: String
    let strike: Strike
    let demand: Demand

    var description: String {
      guard case .error(let code) = strike else { return "\(call) \(strike)" }
      return unsafe "\(call) \(String(cString: strerror(code)))"
    }
  }

  static let rows: [Row] =
    row(["write", "pwrite64"], [ENOSPC, EIO, EDQUOT], .fails)
    + row(["write", "pwrite64"], [EINTR], .succeeds)
    + [
      Row(call: "pwrite64", strike: .shorten(7), demand: .succeeds),
      // A lie: the bytes are not there, although the call says so.
      Row(call: "pwrite64", strike: .claim(100), demand: .failsOrSucceeds),
    ]
    + row(["fallocate"], [ENOSPC, EDQUOT, EIO], .fails)
    + row(["fallocate"], [EOPNOTSUPP, ENOSYS, EINTR], .succeeds)
    + row(["fsync", "fdatasync"], [EIO, ENOSPC, EDQUOT], .fails)
    + row(["openat2"], [EMFILE, EACCES, EIO, ENOSPC, EROFS], .failsOrSucceeds)
    + row(["openat2"], [ENOSYS, EINTR], .succeeds)
    + row(["openat"], [EMFILE, EACCES, EIO], .failsOrSucceeds)
    + row(["mkdirat"], [ENOSPC, EDQUOT, EACCES, EROFS, EIO], .fails)
    + row(["renameat", "renameat2"], [EXDEV, EACCES, EIO, ENOSPC, EROFS], .fails)
    + row(["renameat2"], [EINVAL, ENOSYS], .succeeds)
    + row(["symlinkat"], [ENOSPC, EACCES, EIO], .fails)
    + row(["fchmod"], [EPERM, EIO], .fails)
    + row(["unlinkat"], [EPERM, EIO, EBUSY, ENOTEMPTY, EROFS], .failsOrSucceeds)
    + row(["flock"], [EBADF, EIO], .fails)
    + row(["flock"], [EINTR], .succeeds)
    + row(["read", "pread64"], [EIO], .failsOrSucceeds)
    + row(["read", "pread64"], [EINTR], .succeeds)
    + row(["getdents64"], [EIO], .failsOrSucceeds)

  private static func row(_ calls: [String], _ codes: [CInt], _ demand: Demand) -> [Row] {
    calls.flatMap { call in
      codes.map { Row(call: call, strike: .error($0), demand: demand) }
    }
  }
}
