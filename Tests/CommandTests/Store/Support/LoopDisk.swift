import Glibc
import SystemFiles
import TestSupport
import Testing

/// A file system in a file, mounted so that its power can be cut.
final class LoopDisk: Sendable {
  enum Format: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case ext4
    /// Without the rule of ext4 that a file which replaces another by rename is written first.
    case plainExt4
    case xfs

    var testDescription: String { self == .plainExt4 ? "ext4 with noauto_da_alloc" : rawValue }
    fileprivate var tool: String { self == .xfs ? "mkfs.xfs" : "mkfs.ext4" }
  }

  /// What a power cut loses besides all that was never written.
  enum Cut: UInt32, CaseIterable, Sendable {
    /// The log is written first: names may be there whose bytes are not.
    case losesData = 1
    /// The log is lost: what was acknowledged without a sync is gone.
    case losesLog = 2
  }

  let format: Format
  /// Where it is mounted.
  let folder: String
  private let image: String

  /// Whether such a disk can be made and mounted here; if not, says why.
  static func isAvailable(_ formats: [Format] = [.ext4]) async -> Bool {
    do {
      for format in formats {
        try await TemporaryFolder.withFolder {
          let disk = try await LoopDisk(format, in: TemporaryFolder.current)
          try await disk.mount()
          try await disk.unmount()
        }
      }
      return true
    } catch {
      print("notice: no power is cut, for no disk can be mounted: \(error)")
      return false
    }
  }

  /// Makes the disk; it is not mounted yet.
  init(_ format: Format, in folder: String) async throws {
    self.format = format
    self.folder = "\(folder)/disk"
    image = "\(folder)/disk.image"
    _ = try Folder(creating: self.folder, mode: 0o755)
    // XFS accepts no less.
    let size = format == .xfs ? "300M" : "32M"
    try await Self.run("truncate", ["-s", size, image])
    let options =
      format == .xfs
      ? ["-q", "-f"] : ["-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0"]
    try await Self.run(format.tool, options + [image])
  }

  /// Mounts the disk, or another image of it.
  func mount(_ other: String? = nil) async throws {
    let options = "loop,nodev,nosuid" + (format == .plainExt4 ? ",noauto_da_alloc" : "")
    try await Self.run("mount", ["-o", options, other ?? image, folder])
  }

  func unmount() async throws { try await unmountFolder(folder) }

  /// Keeps the disk, unmounted, as it is now for ``restore()``.
  func save() async throws {
    try await Self.run("cp", ["--sparse=always", image, savedImage])
  }

  /// Brings back what was saved; the disk must be unmounted.
  func restore() async throws {
    try await Self.run("cp", ["--sparse=always", savedImage, image])
  }

  /// The file that ``save()`` has written.
  var savedImage: String { "\(image).saved" }

  /// Brings back what was saved, with changes of its bytes.
  func restore(with change: (borrowing OpenFile) throws -> Void) async throws {
    try await restore()
    let (parent, name) = splitPath(image)
    try change(try Folder(path: parent).openFileForWriting(name))
  }

  /// Cuts the power and puts it on again.
  ///
  /// The `ioctl` is `FS_IOC_SHUTDOWN`; after it the file system writes nothing more.
  func cut(_ kind: Cut) async throws {
    do {
      let root = try Folder(path: folder)
      var flag = kind.rawValue
      guard unsafe ioctl(root.descriptor, 0x8004_587d, &flag) == 0 else {
        throw SystemError("ioctl", code: errno, path: folder)
      }
    }
    try await unmount()
    try await mount()
  }

  /// Runs `body` with the disk mounted, and unmounts it whatever happens.
  func whileMounted(_ other: String? = nil, _ body: () async throws -> Void) async throws {
    try await mount(other)
    do {
      try await body()
    } catch {
      try? await unmount()
      throw error
    }
    try await unmount()
  }

  private static func run(_ name: String, _ arguments: [String]) async throws {
    guard let tool = Tool.installed(name) else { throw SupportError.noProgram(name) }
    let outcome = try await tool.run(arguments)
    guard outcome.ending == .exited(0) else {
      throw SupportError.programFailed(name, message: outcome.errors)
    }
  }
}
