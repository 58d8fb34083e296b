import Glibc

/// What the file system says of one file, folder or link at one moment.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case file, folder, link, other }

  package let kind: Kind
  package let identity: FileIdentity
  /// The length in bytes.
  package let size: Int
  /// The bytes that the file system has set aside for it.
  package let allocatedSize: Int
  /// The permission bits, such as `0o644`.
  package let mode: UInt32
  package let owner: UInt32
  package let group: UInt32
  /// The number of names (hard links) of the inode.
  package let linkCount: Int
  /// The time of the last change of the contents, in nanoseconds since 1970; after the year 2262, the largest number.
  package let modifiedAt: Int
  /// The time of the last change of the inode, in nanoseconds since 1970; after the year 2262, the largest number.
  package let changedAt: Int

  init(_ facts: stat) {
    kind =
      switch facts.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    identity = FileIdentity(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino))
    size = Int(facts.st_size)
    allocatedSize = Int(facts.st_blocks) * 512
    mode = facts.st_mode & 0o7777
    owner = facts.st_uid
    group = facts.st_gid
    linkCount = Int(facts.st_nlink)
    modifiedAt = nanoseconds(facts.st_mtim)
    changedAt = nanoseconds(facts.st_ctim)
  }
}

private func nanoseconds(_ time: timespec) -> Int {
  let (whole, overflow) = time.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
  let (sum, carry) = whole.addingReportingOverflow(time.tv_nsec)
  guard overflow || carry else { return sum }
  return time.tv_sec < 0 ? Int.min : Int.max
}

extension FileStatus {
  /// The length of the longest steps of time that a file system stamps changes with, in nanoseconds: that of FAT.
  private static let longestStep = 2_000_000_000

  /// Whether every change from now on will show in `changedAt`; the clock is `CLOCK_REALTIME_COARSE`.
  package var showsNextChange: Bool {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time) == 0 else { return false }
    return Self.shows(changeAt: nanoseconds(time), after: changedAt)
  }

  /// Whether a change at this moment would get another stamp than the last one, both in nanoseconds since 1970.
  ///
  /// File systems stamp changes by a clock that moves in steps of some milliseconds; within the same step as the last
  /// change, another one may leave no trace. Some have times of whole seconds.
  package static func shows(changeAt moment: Int, after stamp: Int) -> Bool {
    guard stamp.isMultiple(of: 1_000_000_000) else { return moment > stamp }
    return moment - longestStep > stamp
  }

  /// The user whose rights this process has; the corresponding C function is `geteuid`.
  package static var currentUser: UInt32 { geteuid() }
}

/// The device and inode numbers that tell one file from every other that exists now.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}
