/// The CRC-32C (Castagnoli) of bytes: finds torn and damaged records, proves nothing.
func crc32c(_ bytes: some Sequence<UInt8>) -> UInt32 {
  var crc = UInt32.max
  for byte in bytes { crc = table[Int((crc ^ UInt32(byte)) & 0xff)] ^ (crc >> 8) }
  return ~crc
}

private let table: [UInt32] = (0..<256).map { index in
  (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82f6_3b78 }
}
