import Digests
import SystemFiles

// Chunks of a long file are written past the page cache. Decision 22 says why.
extension PartFile {
  /// The length from which a file is long.
  private static let longFile = 8 << 20
  /// What file systems ask of the memory, the place and the length of such a write.
  private static let blockSize = 4096

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

  /// Writes a chunk that is right; `bytes` begin at the start of a page of memory.
  func write(_ bytes: Span<UInt8>, of chunk: Chunk) throws(SystemError) {
    let written = try writeBlocks(bytes, at: chunk.offset)
    guard written < bytes.count else { return }
    let place = chunk.offset + written
    try write(bytes.extracting(written..<bytes.count), at: place)
    file.startWriteback(at: place, count: bytes.count - written)
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
