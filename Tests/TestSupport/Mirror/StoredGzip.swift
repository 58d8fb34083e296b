/// A file in gzip's format without compression: real gzip that any client can decode (RFC 1952).
struct StoredGzip: IteratorProtocol {
  private static let blockSize = 65_535

  private let file: AlteredFile
  private var position = 0
  private var checksum = CRC32()
  private var stage = Stage.header

  private enum Stage { case header, blocks, trailer, done }

  init(_ file: AlteredFile) { self.file = file }

  /// The bytes of the compressed form of `size` bytes.
  static func size(of size: Int) -> Int {
    10 + 5 * max(1, (size + blockSize - 1) / blockSize) + size + 8
  }

  mutating func next() -> [UInt8]? {
    switch stage {
    case .header:
      stage = .blocks
      return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    case .blocks:
      let end = min(file.size, position + Self.blockSize)
      let bytes = file.bytes(in: position..<end)
      checksum.update(bytes)
      position = end
      let isLast = end == file.size
      if isLast { stage = .trailer }
      let count = UInt16(bytes.count)
      return [isLast ? 1 : 0] + littleEndian(count) + littleEndian(~count) + bytes
    case .trailer:
      stage = .done
      return littleEndian(checksum.value)
        + littleEndian(UInt32(truncatingIfNeeded: file.size))
    case .done:
      return nil
    }
  }
}

/// The bytes of a number, the lowest first.
func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
  stride(from: 0, to: number.bitWidth, by: 8).map {
    UInt8(truncatingIfNeeded: number >> $0)
  }
}
