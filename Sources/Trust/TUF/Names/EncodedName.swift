import Digests

/// Names of a repository as names of files and parts of URLs: a name that somebody chose is never a path.
enum EncodedName {
  /// The most bytes of an encoded name of a file, before its ending.
  private static let longest = 200
  private static let hashPrefix = "sha256-"

  /// Encodes every byte but letters, digits and `- . _ ~` as `%` and two upper-case digits.
  static func percentEncoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isPlain(byte) {
        bytes.append(byte)
      } else {
        bytes += encoded(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Encodes the first byte of a text of plain bytes too, and leaves the others.
  static func encodingFirst(_ text: String) -> String {
    let bytes = text.utf8.prefix(1).flatMap(encoded) + text.utf8.dropFirst()
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func encoded(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// A name for a file that no other text has: the encoded text, or its SHA-256 if that is long.
  ///
  /// It begins with a dot only if the text does. No text passes for a hash, not even where the system ignores case.
  static func fileName(_ text: String) -> String {
    let encoded = percentEncoded(text)
    let start = String(decoding: encoded.utf8.prefix(hashPrefix.utf8.count), as: UTF8.self)
    guard encoded.utf8.count <= longest, start.lowercased() != hashPrefix else {
      return hashPrefix + SHA256Digest(of: Array(text.utf8)).hex
    }
    return encoded
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
