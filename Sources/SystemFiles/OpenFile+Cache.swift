import Glibc

extension OpenFile {
  /// The bytes of a page of memory, and of the page cache.
  package static let pageSize = sysconf(CInt(_SC_PAGESIZE))
  /// The bytes that are asked about at a time.
  private static let window = 256 << 20

  /// Drops clean pages of a range from the page cache; only a hint.
  package func dropCache(at offset: Int, count: Int) {
    posix_fadvise(descriptor, offset, count, POSIX_FADV_DONTNEED)
  }

  /// The bytes of the file that lie in the page cache, in whole pages; nil where the kernel does not say.
  ///
  /// It tells only who owns the file or may write it. After ``dropCache()`` what is left is dirty, mapped by a process,
  /// or on a file system that is memory. Maps the file without touching a page. The C function is `mincore`.
  package func cachedBytes() throws(SystemError) -> Int? {
    let status = try status()
    guard status.owner == FileStatus.currentUser || FileStatus.currentUser == 0 else { return nil }
    var count = 0
    var offset = 0
    while offset < status.size {
      let length = min(Self.window, status.size - offset)
      count += try cachedPages(at: offset, count: length)
      offset += length
    }
    return count * Self.pageSize
  }

  /// The pages of a range that lie in the page cache, by the rules of ``cachedBytes()``; the range begins with a page.
  package func cachedPages(at offset: Int, count: Int) throws(SystemError) -> Int {
    let start = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, offset)
    guard let start = unsafe start, unsafe start != MAP_FAILED else {
      throw SystemError("mmap", code: errno, path: nil, in: descriptor)
    }
    defer { unsafe munmap(start, count) }
    var pages = [UInt8](repeating: 0, count: (count + Self.pageSize - 1) / Self.pageSize)
    try check("mincore", in: descriptor) { unsafe mincore(start, count, &pages) }
    return pages.count { $0 & 1 == 1 }
  }
}
