package import SystemFiles

extension SHA256Digest {
  private static let blockSize = 256 * 1024

  /// Reads `file` from start to end on the calling thread and hashes it.
  ///
  /// - Parameters:
  ///   - file: The file, whatever its position.
  ///   - report: Called with the bytes of each block done; false stops the work.
  /// - Throws: ``DigestError``.
  package init(
    reading file: borrowing OpenFile,
    report: (Int) -> Bool
  ) throws(DigestError) {
    var hasher = SHA256()
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    var offset = 0
    while true {
      let count = try DigestError.wrap { () throws(SystemError) in
        var buffer = block.mutableSpan
        return try file.read(Self.blockSize, into: &buffer, at: offset)
      }
      if count == 0 { break }
      hasher.update(block.span.extracting(first: count))
      offset += count
      guard report(count) else { throw .cancelled }
    }
    self = hasher.finalize()
  }
}
