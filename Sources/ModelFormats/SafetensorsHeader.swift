/// The facts in the header of a safetensors file.
struct SafetensorsHeader: Equatable {
  static let maximumLength: UInt64 = 100_000_000

  /// The bytes of the JSON text after the eight bytes of its length.
  let length: UInt64
  /// The distinct `dtype` texts, sorted; empty if the header can't be walked.
  let types: [String]

  /// Whether `start` can be the beginning of such a file.
  static func length(in start: [UInt8]) -> UInt64? {
    var cursor = ByteCursor(start)
    guard let length = cursor.u64(), (2...maximumLength).contains(length),
      cursor.take(1)?.first == UInt8(ascii: "{")
    else { return nil }
    return length
  }

  /// Walks the header in pieces of 64 KiB, however long it is.
  init<Source: ByteSource>(
    _ source: Source,
    length: UInt64
  ) throws(Source.Failure) {
    self.length = length
    var walk = DtypeWalk()
    var offset = 8
    let end = min(source.size, 8 + Int(clamping: length))
    while offset < end, !walk.isOver {
      let piece = try source.read(at: offset, count: min(1 << 16, end - offset))
      guard !piece.isEmpty else { break }
      for byte in piece { walk.take(byte) }
      offset += piece.count
    }
    types = walk.types.compactMap { plainText($0, limit: DtypeWalk.maximumLength) }.sorted()
  }
}

/// Finds the values of `dtype` in a header of any size, in constant memory.
///
/// It follows strings and nesting only: whether the header is right JSON is not its question.
private struct DtypeWalk {
  static let maximumLength = 32
  private static let maximumCount = 64

  private(set) var types: Set<[UInt8]> = []
  /// The header has ended, or holds more than a header has.
  private(set) var isOver = false

  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var text: [UInt8] = []
  /// The name of the tensor, or of what stands beside the tensors.
  private var tensor: [UInt8] = []
  /// The last string before a colon, and whether its value comes next.
  private var key: [UInt8] = []
  private var isValue = false

  mutating func take(_ byte: UInt8) {
    guard !isOver else { return }
    guard !isInString else { return takeInString(byte) }
    switch byte {
    case UInt8(ascii: "\""): (isInString, text) = (true, [])
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      isValue = false
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      isOver = depth <= 0
    case UInt8(ascii: ":"):
      (key, isValue) = (text, true)
      if depth == 1 { tensor = text }
    case UInt8(ascii: ","): isValue = false
    default: break
    }
  }

  private mutating func takeInString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      endString()
      return
    }
    // One byte more than the limit marks a text that is too long.
    if text.count <= Self.maximumLength { text.append(byte) }
  }

  private mutating func endString() {
    isInString = false
    guard depth == 2, isValue, key.elementsEqual("dtype".utf8) else { return }
    guard !tensor.elementsEqual("__metadata__".utf8) else { return }
    guard text.count <= Self.maximumLength else { return }
    types.insert(text)
    isOver = types.count > Self.maximumCount
  }
}
