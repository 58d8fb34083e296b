/// The index of a set of safetensors files: which tensor is in which file.
struct SafetensorsIndex {
  static let maximumTensors = 1_000_000
  private static let greatestDepth = 16

  /// The names of the files, in the order in which they come up.
  private(set) var files: [[UInt8]] = []
  private(set) var tensorCount = 0
  /// What the index says of the bytes of all tensors together.
  private(set) var totalSize: Int?

  /// Walks the whole text; `entry` is called with each name of a tensor, its place, and the number of
  /// its file.
  init(
    _ reader: inout FormatReader,
    entry: (_ tensor: [UInt8], _ place: Int, _ file: Int) throws(FormatStop) -> Void
  ) throws(FormatStop) {
    var scanner = JSONScanner(greatestDepth: Self.greatestDepth)
    guard try scanner.next(&reader) == .beginObject else {
      throw .structure(.badType, 0, "the index", "an object", "another value")
    }
    var names: Set<[UInt8]> = []
    while case .name(let name) = try scanner.next(&reader) {
      guard names.count < 1_024, let bytes = name.bytes, names.insert(bytes).inserted else {
        throw .structure(.duplicateKey, name.offset, "the index", "each name once", "one twice")
      }
      let token = try scanner.next(&reader)
      if name.equals("weight_map") {
        guard token == .beginObject else {
          throw .structure(.badType, name.offset, "weight_map", "an object", "another value")
        }
        try walkMap(&scanner, &reader, entry)
      } else if name.equals("metadata"), token == .beginObject {
        try readMetadata(&scanner, &reader)
      } else {
        try scanner.skipValue(after: token, &reader)
      }
    }
    guard names.contains(Array("weight_map".utf8)) else {
      throw .structure(.missingKey, 0, "the index", "a weight_map", "none")
    }
    scanner.finish(&reader)
    try reader.requireBlanks(after: "the index")
  }

  private mutating func walkMap(
    _ scanner: inout JSONScanner,
    _ reader: inout FormatReader,
    _ entry: (_ tensor: [UInt8], _ place: Int, _ file: Int) throws(FormatStop) -> Void
  ) throws(FormatStop) {
    var numbers: [[UInt8]: Int] = [:]
    while case .name(let name) = try scanner.next(&reader) {
      guard let tensor = name.bytes, tensorCount < Self.maximumTensors else {
        throw .structure(.tooLong, name.offset, "the index", "fewer or shorter names", "more")
      }
      guard case .string(let text) = try scanner.next(&reader), let file = text.bytes else {
        throw .structure(.badType, name.offset, "the index", "the name of a file", "another value")
      }
      guard Self.isSafe(file) else {
        let found = String(decoding: file.prefix(256), as: UTF8.self)
        throw .structure(.externalPathUnsafe, text.offset, "the index", "a plain file name", found)
      }
      if numbers[file] == nil {
        guard files.count < 100_000 else {
          throw .structure(.countTooLarge, text.offset, "the files", "at most 100000", "more")
        }
        numbers[file] = files.count
        files.append(file)
      }
      tensorCount += 1
      try entry(tensor, name.offset, numbers[file] ?? 0)
    }
  }

  /// Whether a name stays in its folder on every system.
  private static func isSafe(_ name: [UInt8]) -> Bool {
    !name.isEmpty && name.count <= 255 && !name.elementsEqual("..".utf8)
      && !name.elementsEqual(".".utf8)
      && name.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }
  }

  private mutating func readMetadata(
    _ scanner: inout JSONScanner,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    while case .name(let name) = try scanner.next(&reader) {
      let token = try scanner.next(&reader)
      if name.equals("total_size"), case .number(let digits, _) = token {
        totalSize = Int(String(decoding: digits, as: UTF8.self))
      }
      try scanner.skipValue(after: token, &reader)
    }
  }
}
