import CLinux
import Glibc

/// An open file, closed when the value ends.
package struct OpenFile: ~Copyable, Sendable {
  package let descriptor: CInt

  /// Takes over a descriptor that nothing else closes.
  init(descriptor: CInt) { self.descriptor = descriptor }

  deinit { Glibc.close(descriptor) }

  /// Opens the file at `path` for reading; links are followed, since a person named it.
  ///
  /// Waits for the writer of a pipe, and throws `EINTR` if the task is cancelled meanwhile.
  package init(reading path: String) throws(SystemError) {
    let path = try checkedPath(path, for: "open")
    let file = OpenFile(
      descriptor: try check("open", path) {
        unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
      }
    )
    if try file.status().kind == .other { try file.waitForWriter(path) }
    try check("fcntl", path) { fcntl(file.descriptor, F_SETFL, 0) }
    self = file
  }

  /// Returns once somebody has written, or has had the pipe open and closed it.
  private func waitForWriter(_ path: String) throws(SystemError) {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while try check("poll", path, { unsafe poll(&event, 1, 100) }) == 0 {
      if Task.isCancelled { throw SystemError("open", code: EINTR, path: path) }
    }
  }

  /// Opens the same file once more; both values read and write it, and the lock of one is that of both.
  package func duplicate() throws(SystemError) -> OpenFile {
    OpenFile(
      descriptor: try check("fcntl", in: descriptor) { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    )
  }

  /// What the file system says now; the corresponding C function is `fstat`.
  package func status() throws(SystemError) -> FileStatus {
    var facts = stat()
    try check("fstat", in: descriptor) { unsafe fstat(descriptor, &facts) }
    return FileStatus(facts)
  }

  /// Reads up to `count` bytes from `offset` to the place `start` of `buffer`, which has room for them.
  ///
  /// Returns the number of bytes read: zero at the end of the file, less than `count` only before the end.
  package func read(
    _ count: Int,
    into buffer: inout MutableSpan<UInt8>,
    from start: Int = 0,
    at offset: Int
  ) throws(SystemError) -> Int {
    try unsafe buffer.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
      precondition(start >= 0 && count <= bytes.count - start, "the buffer has room")
      let memory = unsafe bytes.baseAddress?.advanced(by: start)
      return unsafe try readFully(memory, count: count, at: offset)
    }
  }

  /// Reads up to `count` bytes from `offset` into a new array: fewer at the end of the file.
  package func readBlock(count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let block = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      do throws(SystemError) {
        done = unsafe try readFully(buffer.baseAddress, count: count, at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return block
  }

  private func readFully(
    _ memory: UnsafeMutablePointer<UInt8>?,
    count: Int,
    at offset: Int
  ) throws(SystemError) -> Int {
    var done = 0
    while done < count {
      let (start, place) = unsafe (memory?.advanced(by: done), offset + done)
      let read = try check("pread", in: descriptor) {
        unsafe pread(descriptor, start, count - done, place)
      }
      if read == 0 { break }
      done += read
    }
    return done
  }

  /// Reads the whole file, or pipe, if it has at most `limit` bytes.
  ///
  /// Throws `EFBIG` for a longer one.
  package func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    var contents: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = try check("read", in: descriptor) {
        unsafe Glibc.read(descriptor, &block, block.count)
      }
      if count == 0 { return contents }
      contents += block[..<count]
      if contents.count > limit {
        throw SystemError("read", code: EFBIG, path: nil, in: descriptor)
      }
    }
  }

  /// Reads from the position of the file, or pipe, until `buffer` is full or nothing is left.
  ///
  /// Returns the number of bytes read, and keeps no copy of them: fit for secrets. The corresponding C
  /// function is `read`.
  package func readNext(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
    try unsafe buffer.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
      var done = 0
      while done < bytes.count {
        let start = unsafe bytes.baseAddress?.advanced(by: done)
        let count = try check("read", in: descriptor) {
          unsafe Glibc.read(descriptor, start, bytes.count - done)
        }
        if count == 0 { break }
        done += count
      }
      return done
    }
  }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) {
    try unsafe bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
      var done = 0
      while done < bytes.count {
        done += try check("pwrite", in: descriptor) {
          unsafe pwrite(
            descriptor,
            bytes.baseAddress?.advanced(by: done),
            bytes.count - done,
            offset + done
          )
        }
      }
    }
  }

  /// Sets the permission bits, whatever the umask; the corresponding C function is `fchmod`.
  package func setMode(_ mode: UInt32) throws(SystemError) {
    try check("fchmod", in: descriptor) { fchmod(descriptor, mode) }
  }

  /// Returns once contents and metadata are on the medium; the corresponding C function is `fsync`.
  ///
  /// After an error the contents are unknown and must be discarded: a second call may report success.
  package func sync() throws(SystemError) {
    try check("fsync", in: descriptor) { fsync(descriptor) }
  }

  /// Sets aside the space of `size` bytes, so that a full disk shows now rather than later.
  ///
  /// File systems without support go on without. The corresponding system call is `fallocate`.
  package func preallocate(_ size: Int) throws(SystemError) {
    guard size > 0 else { return }
    do {
      try checkLinux("fallocate", in: descriptor) { linux_fallocate(descriptor, 0, 0, size) }
    } catch let error where error.code == EOPNOTSUPP || error.code == ENOSYS {}
  }

  /// Begins to write the dirty pages of a range without waiting; the system call is `sync_file_range`.
  package func startWriteback(at offset: Int, count: Int) {
    _ = linux_start_writeback(descriptor, offset, count)
  }

  /// Tells the kernel that the file will be read from start to end; only a hint.
  package func expectSequentialReads() {
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  /// Tells the kernel that a range will be read soon; only a hint.
  package func willRead(at offset: Int, count: Int) {
    posix_fadvise(descriptor, offset, count, POSIX_FADV_WILLNEED)
  }

  /// Drops clean pages of the file from the page cache, so that the next read comes from the medium.
  ///
  /// Pages that are dirty, or that a process has mapped, stay. The C function is `posix_fadvise`.
  package func dropCache() {
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
  }
}
