import CLinux
import Glibc

/// A file that is read past the page cache: what it gives comes from the medium, whoever has the file mapped.
@safe
package struct DirectFile: ~Copyable {
  /// What file systems ask of the memory, the place and the length of such a read.
  private static let blockSize = 4096
  private static let capacity = 1 << 20

  private let file: OpenFile
  private let memory: UnsafeMutableRawPointer

  fileprivate init(_ file: consuming OpenFile) {
    self.file = file
    unsafe memory = .allocate(byteCount: Self.capacity, alignment: Self.blockSize)
  }

  deinit { unsafe memory.deallocate() }

  /// What the file system says of the file now.
  package func status() throws(SystemError) -> FileStatus { try file.status() }

  /// Gives the bytes of `range` to `body`, in order and in pieces; returns how many the file has there.
  ///
  /// `body` says whether to go on.
  package func read(
    _ range: Range<Int>,
    _ body: (Span<UInt8>) -> Bool
  ) throws(SystemError) -> Int {
    var place = range.lowerBound / Self.blockSize * Self.blockSize
    var done = 0
    while place < range.upperBound {
      let blocks = (range.upperBound - place + Self.blockSize - 1) / Self.blockSize
      let wanted = min(Self.capacity, blocks * Self.blockSize)
      let (descriptor, offset) = (file.descriptor, place)
      let count = try check("pread", in: descriptor) {
        unsafe pread(descriptor, memory, wanted, offset)
      }
      let start = max(range.lowerBound - place, 0)
      let end = min(count, range.upperBound - place)
      guard end > start else { break }
      let bytes = unsafe UnsafeRawBufferPointer(start: memory, count: count)
      done += end - start
      guard body(unsafe bytes.bindMemory(to: UInt8.self).span.extracting(start..<end)) else {
        break
      }
      // A read that ends between blocks has come to the end of the file.
      guard count.isMultiple(of: Self.blockSize) else { break }
      place += count
    }
    return done
  }
}

extension Folder {
  /// Opens the file at the relative `path` for reading past the page cache; nil where the file system cannot.
  ///
  /// The flag of `open` is `O_DIRECT`.
  package func openFileForDirectReading(_ path: String) throws(SystemError) -> DirectFile? {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | CInt(LINUX_O_DIRECT)
    do {
      return DirectFile(OpenFile(descriptor: try open(path, flags: flags)))
    } catch let error where error.isInvalid {
      return nil
    }
  }
}
