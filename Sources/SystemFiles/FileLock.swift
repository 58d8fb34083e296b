import Glibc

/// A lock on a file that the kernel frees when its holder ends, however it ends.
///
/// The lock file is made where it is missing and never removed: two holders could otherwise lock two inodes
/// of one name. The corresponding C function is `flock`.
package struct FileLock: ~Copyable, Sendable {
  package enum Strength: Sendable { case shared, exclusive }

  /// The open lock file; nil where a person has done without locks.
  private let file: OpenFile?

  /// The pause between two tries of one who waits, in microseconds.
  private static let pause = UInt32(5_000)

  /// Takes the lock, waiting until it is free; nil if `goesOn` says no while it waits.
  ///
  /// Tries again and again: a call that waits in the kernel could not be stopped.
  package static func wait(
    for name: String,
    in folder: borrowing Folder,
    _ strength: Strength,
    mode: UInt32,
    while goesOn: () -> Bool = { true }
  ) throws(SystemError) -> FileLock? {
    let file = try folder.makeFile(name, mode: mode)
    while try !tryLock(file.descriptor, name, in: folder.descriptor, strength) {
      guard goesOn() else { return nil }
      usleep(pause)
    }
    return FileLock(file: file)
  }

  private static func tryLock(
    _ descriptor: CInt,
    _ name: String,
    in folder: CInt,
    _ strength: Strength
  ) throws(SystemError) -> Bool {
    do {
      try check("flock", name, in: folder) { flock(descriptor, strength.operation | LOCK_NB) }
      return true
    } catch let error where error.code == EWOULDBLOCK {
      return false
    }
  }

  /// Takes the lock if it is free; nil if somebody holds it.
  package static func take(
    _ name: String,
    in folder: borrowing Folder,
    _ strength: Strength,
    mode: UInt32
  ) throws(SystemError) -> FileLock? {
    try take(try folder.makeFile(name, mode: mode), name, strength)
  }

  /// Takes the lock of a file that is there if it is free, also where the file may only be read; nil if somebody
  /// holds it.
  ///
  /// Opens for writing first: on some file systems the two kinds of descriptors do not meet.
  package static func takeExisting(
    _ name: String,
    in folder: borrowing Folder,
    _ strength: Strength
  ) throws(SystemError) -> FileLock? {
    let file: OpenFile
    do {
      file = try folder.openFileForWriting(name)
    } catch let error where error.isNotWritable {
      file = try folder.openFile(name)
    }
    return try take(file, name, strength)
  }

  /// What stands for a lock where a person has done without: it keeps nobody out.
  package static func absent() -> FileLock { FileLock(file: nil) }

  private static func take(
    _ file: consuming OpenFile,
    _ name: String,
    _ strength: Strength
  ) throws(SystemError) -> FileLock? {
    let descriptor = file.descriptor
    do {
      try check("flock", in: descriptor) { flock(descriptor, strength.operation | LOCK_NB) }
    } catch let error where error.code == EWOULDBLOCK {
      return nil
    }
    return FileLock(file: file)
  }

  private init(file: consuming OpenFile?) { self.file = file }

  /// Another value of the same lock: it is free when both have ended.
  package func duplicate() throws(SystemError) -> FileLock {
    switch file {
    case .some(let file): FileLock(file: try file.duplicate())
    case .none: .absent()
    }
  }

  /// What the file system says of the lock file; nil where there is no lock.
  package func status() throws(SystemError) -> FileStatus? {
    switch file {
    case .some(let file): try file.status()
    case .none: nil
    }
  }

  /// Writes something about the holder into the lock file, over what stands there; for messages only.
  ///
  /// A file with a second name is left alone, since that may be anybody's.
  package func note(_ bytes: [UInt8]) throws(SystemError) {
    switch file {
    case .some(let file):
      if try file.status().linkCount == 1 { try file.write(bytes.span, at: 0) }
    case .none: break
    }
  }

  /// Lets the program that takes this process's place keep the lock, until the last holder of the descriptor ends.
  package func keepAcrossExec() throws(SystemError) {
    switch file {
    case .some(let file): try check("fcntl") { fcntl(file.descriptor, F_SETFD, 0) }
    case .none: break
    }
  }

  /// Lets go of the lock, which is held until here even though nothing else uses the value.
  package consuming func release() {}
}

extension FileLock.Strength {
  fileprivate var operation: CInt {
    switch self {
    case .shared: LOCK_SH
    case .exclusive: LOCK_EX
    }
  }
}
