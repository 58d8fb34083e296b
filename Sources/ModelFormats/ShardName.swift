import Manifests

/// The name of one file of a set: `PREFIX-00001-of-00003.gguf`.
struct ShardName: Hashable {
  /// The path up to the number.
  let prefix: String
  /// From 1 on.
  let number: Int
  let count: Int
  let suffix: String

  private init(prefix: String, number: Int, count: Int, suffix: String) {
    (self.prefix, self.number, self.count, self.suffix) = (prefix, number, count, suffix)
  }

  /// Reads the name; nil if it is not of this form.
  init?(_ path: RelativePath) {
    let bytes = Array(path.text.utf8)
    let suffixLength = (path.fileExtension?.utf8.count).map { $0 + 1 } ?? 0
    let stem = bytes.dropLast(suffixLength)
    // -00001-of-00003
    guard stem.count > 15 else { return nil }
    let tail = Array(stem.suffix(15))
    guard tail[0] == UInt8(ascii: "-"), tail[6..<10].elementsEqual("-of-".utf8),
      let number = Self.number(tail[1..<6]), let count = Self.number(tail[10..<15]),
      (1...max(1, count)).contains(number)
    else { return nil }
    prefix = String(decoding: stem.dropLast(15), as: UTF8.self)
    self.number = number
    self.count = count
    suffix = String(decoding: bytes.suffix(suffixLength), as: UTF8.self)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// The name of the first file of the set, which is the same for all of them.
  var first: ShardName { ShardName(prefix: prefix, number: 1, count: count, suffix: suffix) }

  /// The name of another file of the set.
  func path(of number: Int) -> String {
    "\(prefix)-\(Self.padded(number))-of-\(Self.padded(count))\(suffix)"
  }

  private static func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
  }
}

extension FormatFault {
  /// A file of a set of shards is not in the release.
  static func missingShard(_ path: String) -> FormatFault {
    .structure(
      StructureFault(
        .shardMismatch,
        at: 0,
        "the set of shards",
        expected: "\(path) in the release",
        found: "no such file"
      )
    )
  }
}
