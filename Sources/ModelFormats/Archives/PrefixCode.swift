/// A canonical prefix code, as Deflate makes it from the lengths of its symbols.
struct PrefixCode {
  static let maximumLength = 15

  /// Where the reading of a symbol has come to.
  struct Search {
    fileprivate var code = 0
    fileprivate var first = 0
    fileprivate var index = 0
    fileprivate(set) var length = 0
  }

  /// How many symbols there are of each length.
  private var counts = [Int](repeating: 0, count: maximumLength + 1)
  /// The symbols in the order of their codes.
  private var symbols: [Int] = []

  /// Makes the code; nil if the lengths, each up to 15 and 0 for symbols that do not occur, make none.
  init?(_ lengths: [UInt8]) {
    for length in lengths {
      guard length <= UInt8(Self.maximumLength) else { return nil }
      counts[Int(length)] += 1
    }
    counts[0] = 0
    var free = 1
    for length in 1...Self.maximumLength {
      free = free * 2 - counts[length]
      guard free >= 0 else { return nil }
    }
    for length in 1...Self.maximumLength where counts[length] > 0 {
      symbols += lengths.indices.filter { Int(lengths[$0]) == length }
    }
  }

  /// Goes on by one bit, and returns the symbol if it ends there.
  func symbol(after bit: UInt32, _ search: inout Search) -> Int? {
    search.length += 1
    search.code |= Int(bit)
    let count = counts[search.length]
    if search.code - count < search.first {
      return symbols[search.index + search.code - search.first]
    }
    search.index += count
    search.first = (search.first + count) << 1
    search.code <<= 1
    return nil
  }

  static let fixedLengths = code(
    Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112)
      + Array(repeating: 7, count: 24) + Array(repeating: 8, count: 8)
  )
  static let fixedDistances = code(Array(repeating: 5, count: 30))

  private static func code(_ lengths: [UInt8]) -> PrefixCode {
    guard let code = PrefixCode(lengths) else { preconditionFailure("a code of RFC 1951") }
    return code
  }
}
