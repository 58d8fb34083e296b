/// Unpacks the start of what Deflate has packed (RFC 1951).
///
/// Takes time and memory for the bytes that are asked for, whatever the packed data would grow to.
struct Inflation {
  private var output: [UInt8] = []
  private let count: Int
  private var bits: UInt32 = 0
  private var bitCount: UInt32 = 0

  /// Returns the first `count` bytes of what is packed up to the limit of `reader`, or all if there are fewer.
  static func start(_ reader: inout FormatReader, count: Int) throws(FormatStop) -> [UInt8] {
    var inflation = Inflation(count: count)
    while inflation.output.count < count {
      guard try inflation.block(&reader) else { break }
    }
    return Array(inflation.output.prefix(count))
  }

  private init(count: Int) { self.count = count }

  /// Unpacks a block, or as much of it as is needed; false if it was the last one.
  private mutating func block(_ reader: inout FormatReader) throws(FormatStop) -> Bool {
    let isLast = try take(1, &reader) == 1
    switch try take(2, &reader) {
    case 0: try stored(&reader)
    case 1: try packed(&reader, PrefixCode.fixedLengths, PrefixCode.fixedDistances)
    case 2:
      let (lengths, distances) = try codes(&reader)
      try packed(&reader, lengths, distances)
    default: throw bad(reader, "a kind of block")
    }
    return !isLast
  }

  private mutating func stored(_ reader: inout FormatReader) throws(FormatStop) {
    (bits, bitCount) = (0, 0)
    let (length, check) = (try reader.u16(), try reader.u16())
    guard length == ~check else { throw bad(reader, "the length of a block, twice") }
    let wanted = min(Int(length), count - output.count)
    output += try reader.take(wanted)
    try reader.skip(UInt64(Int(length) - wanted))
  }

  private mutating func packed(
    _ reader: inout FormatReader,
    _ lengths: PrefixCode,
    _ distances: PrefixCode
  ) throws(FormatStop) {
    while output.count < count {
      let symbol = try self.symbol(of: lengths, &reader)
      if symbol == 256 { return }
      guard symbol > 256 else {
        output.append(UInt8(symbol))
        continue
      }
      guard symbol - 257 < Self.lengthBases.count else { throw bad(reader, "a length") }
      let length =
        Self.lengthBases[symbol - 257] + Int(try take(Self.lengthBits[symbol - 257], &reader))
      let code = try self.symbol(of: distances, &reader)
      guard code < Self.distanceBases.count else { throw bad(reader, "a distance") }
      let distance = Self.distanceBases[code] + Int(try take(UInt32(max(0, code / 2 - 1)), &reader))
      guard distance <= output.count else {
        throw bad(reader, "a distance inside what was unpacked")
      }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  /// Reads the codes that a block brings along.
  private mutating func codes(
    _ reader: inout FormatReader
  ) throws(FormatStop) -> (lengths: PrefixCode, distances: PrefixCode) {
    let lengthCount = Int(try take(5, &reader)) + 257
    let distanceCount = Int(try take(5, &reader)) + 1
    let metaCount = Int(try take(4, &reader)) + 4
    var meta = [UInt8](repeating: 0, count: 19)
    for index in Self.metaOrder.prefix(metaCount) { meta[index] = UInt8(try take(3, &reader)) }
    guard let metaCode = PrefixCode(meta) else { throw bad(reader, "a code") }
    var sizes: [UInt8] = []
    while sizes.count < lengthCount + distanceCount {
      let symbol = try self.symbol(of: metaCode, &reader)
      switch symbol {
      case 16:
        guard let last = sizes.last else { throw bad(reader, "a code") }
        sizes += Array(repeating: last, count: Int(try take(2, &reader)) + 3)
      case 17: sizes += Array(repeating: 0, count: Int(try take(3, &reader)) + 3)
      case 18: sizes += Array(repeating: 0, count: Int(try take(7, &reader)) + 11)
      default: sizes.append(UInt8(symbol))
      }
    }
    guard sizes.count == lengthCount + distanceCount,
      let lengths = PrefixCode(Array(sizes.prefix(lengthCount))),
      let distances = PrefixCode(Array(sizes.dropFirst(lengthCount)))
    else { throw bad(reader, "a code") }
    return (lengths, distances)
  }

  private static let metaOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthBits: [UInt32] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537,
    2_049, 3_073, 4_097, 6_145, 8_193, 12_289, 16_385, 24_577,
  ]
}

// MARK: - Bits

extension Inflation {
  /// Takes bits, the lowest first.
  private mutating func take(
    _ wanted: UInt32,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> UInt32 {
    while bitCount < wanted {
      bits |= UInt32(try reader.u8()) << bitCount
      bitCount += 8
    }
    let value = bits & ((1 << wanted) - 1)
    bits >>= wanted
    bitCount -= wanted
    return value
  }

  private mutating func symbol(
    of code: PrefixCode,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> Int {
    var search = PrefixCode.Search()
    while search.length < PrefixCode.maximumLength {
      if let symbol = code.symbol(after: try take(1, &reader), &search) { return symbol }
    }
    throw bad(reader, "a symbol of the code")
  }

  private func bad(_ reader: borrowing FormatReader, _ expected: String) -> FormatStop {
    .structure(
      .badEncoding,
      at: reader.offset,
      "the packed data",
      expected: expected,
      found: "other bits"
    )
  }
}
