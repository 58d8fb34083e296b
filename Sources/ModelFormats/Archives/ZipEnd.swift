/// The record at the end of a zip archive: where its directory lies, and how many files that lists.
struct ZipEnd: Equatable {
  static let signature: [UInt8] = [0x50, 0x4B, 5, 6]
  private static let length = 22
  private static let greatestComment = 0xFFFF

  let count: UInt64
  /// The bytes of the directory, which ends where the records at the end of the archive begin.
  let directory: Range<Int>

  /// Finds the record in the archive that fills `reader` from `base` to its limit; everything counts from `base` on.
  ///
  /// Exactly one record must fit: a second one would be the end of another archive for another reader. Where the
  /// archive has a record of 64-bit numbers too, both must say the same.
  init(_ reader: inout FormatReader, base: Int) throws(FormatStop) {
    let window = min(reader.limit - base, Self.length + Self.greatestComment)
    let start = reader.limit - window
    try reader.seek(to: UInt64(start))
    let place = start + (try Self.find(in: try reader.take(window), at: start))
    try reader.seek(to: UInt64(place + 4))
    let disks = UInt32(try reader.u16()) | UInt32(try reader.u16())
    let (countHere, count) = (UInt64(try reader.u16()), UInt64(try reader.u16()))
    let (length, offset) = (UInt64(try reader.u32()), UInt64(try reader.u32()))
    var end = Numbers(count: count, length: length, offset: offset)
    var top = place
    if let wide = try Self.wide(&reader, before: place, base: base) {
      try wide.numbers.require(agreeingWith: end, at: place)
      (end, top) = (wide.numbers, wide.place)
    } else {
      guard disks == 0, countHere == count else {
        throw Self.bad(.badOffset, at: place, "one archive in one file", "several parts")
      }
    }
    let (last, overflowed) = end.offset.addingReportingOverflow(end.length)
    guard !overflowed, last == UInt64(top - base) else {
      throw Self.bad(
        .badOffset,
        at: place,
        "a directory that ends at \(top - base)",
        "\(end.length) bytes at \(end.offset)"
      )
    }
    // The smallest entry of a directory takes 46 bytes.
    guard end.count <= end.length / 46 else {
      throw Self.bad(.countTooLarge, at: place, "at most \(end.length / 46) files", "\(end.count)")
    }
    self.count = end.count
    directory = (base + Int(end.offset))..<top
  }

  private struct Numbers {
    let count: UInt64
    let length: UInt64
    let offset: UInt64

    /// Throws unless each 32-bit number is the same, or says that only the 64-bit one counts.
    func require(agreeingWith small: Numbers, at place: Int) throws(FormatStop) {
      let agrees =
        (small.count == 0xFFFF || small.count == count)
        && (small.length == 0xFFFF_FFFF || small.length == length)
        && (small.offset == 0xFFFF_FFFF || small.offset == offset)
      guard agrees else {
        throw ZipEnd.bad(.badOffset, at: place, "the numbers of the 64-bit record", "others")
      }
    }
  }

  /// Returns the place of the record in `bytes`, the tail of the archive.
  private static func find(in bytes: [UInt8], at start: Int) throws(FormatStop) -> Int {
    var found: [Int] = []
    var others: [Int] = []
    for index in bytes.indices.dropLast(length - 1) where bytes[index...].starts(with: signature) {
      let comment = Int(bytes[index + 20]) | Int(bytes[index + 21]) << 8
      if index + length + comment == bytes.count {
        found.append(index)
      } else {
        others.append(index)
      }
    }
    if found.count > 1 {
      throw bad(.duplicateKey, at: start + found[0], "one end of the archive", "two")
    }
    if let place = found.first { return place }
    guard let other = others.last else {
      throw bad(.truncated, at: start, "the record at the end of an archive", "none")
    }
    let comment = Int(bytes[other + 20]) | Int(bytes[other + 21]) << 8
    let missing = other + length + comment - bytes.count
    if missing > 0 { throw bad(.truncated, at: start + other, "\(missing) bytes more", "the end") }
    throw bad(
      .trailingBytes,
      at: start + other,
      "the end of the archive to be the end of the file",
      "\(-missing) bytes behind it"
    )
  }

  /// Reads the record of 64-bit numbers, if the one that says where it is stands before `place`.
  private static func wide(
    _ reader: inout FormatReader,
    before place: Int,
    base: Int
  ) throws(FormatStop) -> (place: Int, numbers: Numbers)? {
    guard place - base >= 20 + 56 else { return nil }
    try reader.seek(to: UInt64(place - 20))
    guard try reader.u32() == 0x0706_4B50 else { return nil }
    try reader.skip(4)
    let offset = try reader.u64()
    guard offset <= UInt64(place - 20 - base - 56) else {
      throw bad(
        .badOffset,
        at: place - 20,
        "a 64-bit record inside the archive",
        "one at \(offset)"
      )
    }
    let record = base + Int(offset)
    try reader.seek(to: UInt64(record))
    guard try reader.u32() == 0x0606_4B50 else {
      throw bad(.badMagic, at: record, "the 64-bit record at the end", "none")
    }
    let length = try reader.u64()
    guard length == UInt64(place - 20 - record - 12) else {
      throw bad(.badOffset, at: record, "\(place - 20 - record - 12) bytes", "\(length)")
    }
    try reader.skip(4)
    let disks = UInt64(try reader.u32()) | UInt64(try reader.u32())
    let countHere = try reader.u64()
    let numbers = Numbers(
      count: try reader.u64(),
      length: try reader.u64(),
      offset: try reader.u64()
    )
    guard disks == 0, countHere == numbers.count else {
      throw bad(.badOffset, at: record, "one archive in one file", "several parts")
    }
    return (record, numbers)
  }

  private static func bad(
    _ code: FaultCode,
    at offset: Int,
    _ expected: String,
    _ found: String
  ) -> FormatStop {
    .structure(code, at: offset, "the zip archive", expected: expected, found: found)
  }
}
