import ModelFormats
package import SystemFiles

/// An open file as a source that the format parsers read.
package final class FileSource: ByteSource, Sendable {
  /// The count of bytes when the source was made.
  package let size: Int
  private let file: OpenFile

  /// Makes a source of the same open file; `file` stays the caller's.
  package init(_ file: borrowing OpenFile) throws(SystemError) {
    let copy = try file.duplicate()
    let size = try copy.status().size
    self.size = size
    self.file = copy
  }

  package func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    try file.readBlock(count: count, at: offset)
  }
}
