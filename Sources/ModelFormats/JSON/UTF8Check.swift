/// Checks bytes for UTF-8 one by one, as the Unicode standard has it in table 3-7.
struct UTF8Check {
  private var left = 0
  private var allowed: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether no character is half read.
  var isComplete: Bool { left == 0 }

  /// Takes the next byte; false if it can't stand here.
  mutating func take(_ byte: UInt8) -> Bool {
    guard left == 0 else {
      guard allowed.contains(byte) else { return false }
      left -= 1
      allowed = 0x80...0xBF
      return true
    }
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: left = 1
    case 0xE0: (left, allowed) = (2, 0xA0...0xBF)
    case 0xED: (left, allowed) = (2, 0x80...0x9F)
    case 0xE1...0xEF: left = 2
    case 0xF0: (left, allowed) = (3, 0x90...0xBF)
    case 0xF1...0xF3: left = 3
    case 0xF4: (left, allowed) = (3, 0x80...0x8F)
    default: return false
    }
    return true
  }
}

/// Whether the bytes are UTF-8.
func isUTF8(_ bytes: some Collection<UInt8>) -> Bool {
  var check = UTF8Check()
  for byte in bytes {
    guard check.take(byte) else { return false }
  }
  return check.isComplete
}
