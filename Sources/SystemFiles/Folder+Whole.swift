import CLinux
import Glibc

extension Folder {
  /// Makes the file `name`, which must not exist: readers, and a crash at any moment, see all of it or nothing.
  ///
  /// It is written without a name where the file system can do that, so that nothing is left of an interrupted run. It has
  /// exactly `mode` before the first byte is written, and is on the medium when this returns.
  /// - Throws: `SystemError`, `EEXIST` if something has that name, `EIO` if the file system kept other bytes.
  package func createWhole(
    _ name: String,
    with bytes: Span<UInt8>,
    mode: UInt32
  ) throws(SystemError) {
    if let file = try createNameless(mode: mode) {
      try file.fill(with: bytes)
      try link(file, as: name)
      try sync()
    } else {
      try placeWhole(name, with: bytes, mode: mode, replacing: false)
    }
  }

  /// Replaces the file `name` as ``replaceFile(_:with:mode:through:)`` does, keeping no copy of bytes that are secret.
  ///
  /// Waits for others who replace a file of this folder so, and takes away what killed ones have left.
  package func replaceWhole(
    _ name: String,
    with bytes: Span<UInt8>,
    mode: UInt32
  ) throws(SystemError) {
    try placeWhole(name, with: bytes, mode: mode, replacing: true)
  }

  /// Writes a file under a name of its own and moves it to `name`.
  private func placeWhole(
    _ name: String,
    with bytes: Span<UInt8>,
    mode: UInt32,
    replacing: Bool
  ) throws(SystemError) {
    try lock()
    try removeLeftovers(of: name)
    let temporary = "\(name).\(randomName())"
    do throws(SystemError) {
      if let file = try createNameless(mode: mode) {
        try file.fill(with: bytes)
        try link(file, as: temporary)
      } else {
        try createFile(temporary, mode: mode).fill(with: bytes)
      }
      if replacing {
        try rename(temporary, to: self, name)
      } else {
        try renameWithoutReplacing(temporary, to: self, name)
      }
    } catch {
      try? removeFile(temporary)
      throw error
    }
    try sync()
  }

  /// Makes a file without a name; nil where the file system has none.
  ///
  /// The corresponding flag is `O_TMPFILE`.
  private func createNameless(mode: UInt32) throws(SystemError) -> OpenFile? {
    do {
      let file = OpenFile(
        descriptor: try open(".", flags: O_RDWR | LINUX_O_TMPFILE, mode: mode)
      )
      try file.setMode(mode)
      return file
    } catch let error where [EOPNOTSUPP, EISDIR, ENOENT, EINVAL].contains(error.code) {
      return nil
    }
  }

  /// Gives a file without a name the name that nothing has yet; the corresponding C function is `linkat`.
  private func link(_ file: borrowing OpenFile, as name: String) throws(SystemError) {
    let path = "/proc/self/fd/\(file.descriptor)"
    let name = try checkedPath(name, for: "linkat")
    try check("linkat", name, in: descriptor) {
      unsafe linkat(AT_FDCWD, path, descriptor, name, AT_SYMLINK_FOLLOW)
    }
  }
}

extension OpenFile {
  /// Writes `bytes` to the empty file, syncs it, and compares what the file system gives back.
  fileprivate func fill(with bytes: Span<UInt8>) throws(SystemError) {
    try write(bytes, at: 0)
    try sync()
    dropCache()
    var block = [UInt8](repeating: 0, count: bytes.count + 1)
    let room = block.count
    defer { unsafe explicit_bzero(&block, room) }
    var span = block.mutableSpan
    guard try read(room, into: &span, at: 0) == bytes.count,
      bytes.indices.allSatisfy({ block[$0] == bytes[$0] })
    else { throw SystemError("pread", code: EIO, path: nil, in: descriptor) }
  }
}
