/// The path beneath the served folder that a request names.
package enum ServedPath {
  /// The most bytes of a path.
  private static let maximumLength = 1_024

  /// Reads the target of a request; nil for whatever is not plainly one file beneath the folder.
  ///
  /// Percent escapes are read once. Empty segments, names that start with a dot, which keep what is not published, and
  /// every byte that is no printable ASCII character are refused, so `..` and a second reading of an escape find nothing.
  package static func path(of target: String) -> String? {
    var bytes = Array(target.utf8)
    guard bytes.first == UInt8(ascii: "/"), bytes.count <= maximumLength else { return nil }
    bytes.removeFirst()
    guard let decoded = unescaped(bytes) else { return nil }
    let segments = decoded.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard
      segments.allSatisfy({ segment in
        guard let first = segment.first, first != UInt8(ascii: ".") else { return false }
        return segment.allSatisfy { (0x20...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }
      })
    else { return nil }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func unescaped(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      guard index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      else { return nil }
      result.append(high << 4 | low)
      index += 3
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
