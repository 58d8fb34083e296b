/// A file, or something that reads like one, of a size that does not change.
package protocol ByteSource {
  /// Why a read can fail; `Never` for bytes in memory.
  associatedtype Failure: Error

  /// The count of bytes.
  var size: Int { get }

  /// Returns `count` bytes from `offset` on, fewer only where the source ends.
  ///
  /// Callers ask for at most 1 MiB at a time.
  func read(at offset: Int, count: Int) throws(Failure) -> [UInt8]
}

/// Bytes in memory that read like a file.
package struct BytesInMemory: ByteSource, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var size: Int { bytes.count }

  package func read(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    return Array(bytes.dropFirst(offset).prefix(count))
  }
}
