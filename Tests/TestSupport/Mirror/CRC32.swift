/// The checksum of gzip (RFC 1952 §8), for bodies that real clients decode.
struct CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1
    }
  }

  private var state: UInt32 = 0xffff_ffff

  var value: UInt32 { ~state }

  mutating func update(_ bytes: [UInt8]) {
    var state = state
    unsafe Self.table.withUnsafeBufferPointer { table in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        for index in 0..<bytes.count {
          let place = unsafe UInt8(truncatingIfNeeded: state) ^ bytes[index]
          state = unsafe table[Int(place)] ^ (state >> 8)
        }
      }
    }
    self.state = state
  }
}
