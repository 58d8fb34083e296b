/// Reads the strings and numbers of RFC 4251 section 5, of which OpenSSH makes keys.
struct WireReader {
  private(set) var offset = 0

  /// Takes the next number: four bytes, the highest first; nil if they are not there.
  mutating func number(in bytes: Span<UInt8>) -> UInt32? {
    guard bytes.count - offset >= 4 else { return nil }
    var value: UInt32 = 0
    for index in offset..<offset + 4 { value = value << 8 | UInt32(bytes[index]) }
    offset += 4
    return value
  }

  /// Takes the next string and gives its place; nil if it does not lie in `bytes`.
  mutating func string(in bytes: Span<UInt8>) -> Range<Int>? {
    guard let count = number(in: bytes).map(Int.init), count <= bytes.count - offset else {
      return nil
    }
    defer { offset += count }
    return offset..<offset + count
  }

  /// Takes the next bytes if they are `expected`.
  mutating func literal(_ expected: some Collection<UInt8>, in bytes: Span<UInt8>) -> Bool {
    guard bytes.extracting(offset..<bytes.count).starts(with: expected) else { return false }
    offset += expected.count
    return true
  }
}

/// The four bytes of a number, the highest first.
func wireNumber(_ value: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
}

/// A string: its length and its bytes.
func wireString(_ bytes: some Collection<UInt8>) -> [UInt8] {
  wireNumber(UInt32(bytes.count)) + bytes
}
