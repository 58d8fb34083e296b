import Digests
import SystemFiles

// Chunks of a long file are written past the page cache. Decision 22 says why.
extension PartFile {
  /// The length from which a file is long.
  private static let longFile = 8 << 20
  /// What file systems ask of the memory, the place and the length of such a write; no less than a page, so that no page has
  /// bytes of two chunks that are written in different ways.
  private static let blockSize = max(4096, OpenFile.pageSize)

  /// Watches a long `file` that nobody else has open; nil where that cannot be, or would not show what others do, or where
  /// nothing comes from the medium.
  static func watch(
    _ file: borrowing OpenFile,
    _ request: FetchRequest,
    in folder: PartFolder
  ) -> FileWatch? {
    guard request.size >= longFile, request.table != nil else { return nil }
    do throws(SystemError) {
      guard try folder.folder.fileSystemKind() == .disk, try file.goesPastPageCache() else {
        return nil
      }
      let watch = try FileWatch(file)
      // Who waited for the lease has opened the file by now.
      guard file.isOursAlone(), !watch.hasSeen() else { return nil }
      return consume watch
    } catch {
      return nil
    }
  }

  /// Opens the part `file` once more for such writes; nil for a short file, or where that cannot be.
  static func openDirect(
    _ request: FetchRequest,
    as file: borrowing OpenFile,
    in folder: PartFolder
  ) throws(SystemError) -> OpenFile? {
    guard request.size >= longFile, request.table != nil else { return nil }
    let name = partName(request.name)
    guard let direct = try folder.folder.openFileForDirectWriting(name) else { return nil }
    // Another process, where locks lie, may have put its own part into this place.
    guard try direct.status().identity == file.status().identity else { return nil }
    return direct
  }

  /// Whether the chunk can be written as a whole past the page cache, and read back so.
  func goesPastCache(_ chunk: Chunk) -> Bool {
    hasDirect && readings.isWatched && chunk.offset.isMultiple(of: Self.blockSize)
      && chunk.length.isMultiple(of: Self.blockSize)
  }

  /// Whether no page of the chunk is in the page cache, so that nothing of it was read from there.
  ///
  /// That a file was opened for such reads is no proof: some file systems answer from the cache all the same.
  func isUncached(_ chunk: Chunk) -> Bool {
    do {
      return try file.cachedPages(at: chunk.offset, count: chunk.length) == 0
    } catch {
      return false
    }
  }

  /// Reads past the page cache into `buffer`; returns how many bytes there were.
  func readDirect(
    _ count: Int,
    into buffer: ChunkBuffer,
    at offset: Int
  ) throws(SystemError) -> Int {
    try buffer.fill { room throws(SystemError) in
      try direct?.read(count, into: &room, at: offset) ?? 0
    }
  }

  private var hasDirect: Bool {
    switch direct {
    case .some: true
    case .none: false
    }
  }

  /// Writes a chunk that is right; `bytes` begin at the start of a page of memory.
  ///
  /// Returns whether all of it went past the page cache.
  func write(_ bytes: Span<UInt8>, of chunk: Chunk) throws(SystemError) -> Bool {
    let written = try writeBlocks(bytes, at: chunk.offset)
    guard written < bytes.count else { return true }
    let place = chunk.offset + written
    try write(bytes.extracting(written..<bytes.count), at: place)
    file.startWriteback(at: place, count: bytes.count - written)
    return false
  }

  /// Writes whole blocks past the page cache; returns how many bytes they were.
  private func writeBlocks(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) -> Int {
    let count = bytes.count / Self.blockSize * Self.blockSize
    guard offset.isMultiple(of: Self.blockSize), count > 0 else { return 0 }
    do throws(SystemError) {
      guard let _ = try direct?.write(bytes.extracting(..<count), at: offset) else { return 0 }
      return count
    } catch {
      // Some file systems ask for larger blocks, and a short write leaves its rest at an odd place.
      if error.isInvalid { return 0 }
      throw error
    }
  }
}
