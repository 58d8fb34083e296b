import Glibc
import SystemFiles

/// A file that a mirror offers, as it is in truth.
protocol ServedFile: Sendable {
  var size: Int { get }
  /// A strong ETag, quotes included.
  var tag: String { get }
  /// The descriptor to send from, for a file on disk.
  var descriptor: CInt? { get }
  /// Fills the buffer from `offset`; what is past the end becomes zeros.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int)
}

/// A file held in memory.
struct MemoryFile: ServedFile {
  let bytes: [UInt8]
  let tag: String

  var size: Int { bytes.count }
  var descriptor: CInt? { nil }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
    let count = max(0, min(buffer.count, bytes.count - offset))
    unsafe bytes.withUnsafeBytes { bytes in
      guard count > 0 else { return }
      unsafe buffer.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
      )
    }
    unsafe clear(buffer, from: count)
  }
}

/// A file on disk, open for as long as an answer needs it.
final class DiskFile: ServedFile {
  let size: Int
  let tag: String
  private let file: OpenFile

  init(_ file: consuming OpenFile) throws(SystemError) {
    let status = try file.status()
    size = status.size
    tag = "\"\(String(status.modifiedAt, radix: 16))-\(String(status.size, radix: 16))\""
    self.file = file
  }

  var descriptor: CInt? { file.descriptor }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
    var done = 0
    while done < buffer.count {
      let count = unsafe pread(
        file.descriptor,
        buffer.baseAddress?.advanced(by: done),
        buffer.count - done,
        offset + done
      )
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      done += count
    }
    unsafe clear(buffer, from: done)
  }
}

/// Makes the bytes of a buffer from `start` on zeros.
func clear(_ buffer: UnsafeMutableRawBufferPointer, from start: Int) {
  guard start < buffer.count, let first = buffer.baseAddress else { return }
  unsafe memset(first + start, 0, buffer.count - start)
}
