import CLinux
import Glibc

extension OpenFile {
  /// Opens the plain file at `path` for reading, following links, without waiting for anything.
  ///
  /// Throws `EINVAL` for what is not a plain file, such as a pipe that has no writer.
  package init(readingPlainFile path: String) throws(SystemError) {
    let path = try checkedPath(path, for: "open")
    let file = OpenFile(
      descriptor: try check("open", path) {
        unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
      }
    )
    guard try file.status().kind == .file else {
      throw SystemError("open", code: EINVAL, path: path)
    }
    self = file
  }

  /// The ranges that were written, in order; what was only set aside or never touched is left out.
  ///
  /// File systems that do not know give the whole file as one range. The C function is `lseek` with
  /// `SEEK_DATA` and `SEEK_HOLE`; it moves the position, which positioned reads and writes do not use.
  package func writtenRanges() throws(SystemError) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var end = 0
    while let start = try seek(from: end, to: LINUX_SEEK_DATA) {
      end = try seek(from: start, to: LINUX_SEEK_HOLE) ?? start
      guard end > start else { break }
      ranges.append(start..<end)
    }
    return ranges
  }

  private func seek(from offset: Int, to target: CInt) throws(SystemError) -> Int? {
    do {
      return try check("lseek", in: descriptor) { lseek(descriptor, offset, target) }
    } catch let error where error.code == ENXIO {
      return nil
    }
  }
}
