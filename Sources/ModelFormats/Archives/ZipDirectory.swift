/// Reads the directory of a zip archive and the header before each of its files, and nothing of the files.
///
/// Every entry must have a header that says the same, a name that stays inside the folder where it is unpacked and
/// occurs once, and bytes of its own: two readers can't find different archives in one file.
struct ZipDirectory {
  static let maximumCount: UInt64 = 1 << 20
  /// Deflate can't pack better than this.
  private static let greatestRatio: UInt64 = 1_032
  private static let longestName = 4_096

  private let base: Int
  private let directory: Range<Int>
  private var names = NameLedger()
  private var ranges: [Range<Int>] = []

  /// Reads the archive that fills `reader` from where it stands to its limit, and calls `visit` for each file in the
  /// order of the directory; folders are checked and left out.
  static func walk(
    _ reader: inout FormatReader,
    visit: (inout FormatReader, ZipEntry) throws(FormatStop) -> Void
  ) throws(FormatStop) {
    let base = reader.offset
    let end = try ZipEnd(&reader, base: base)
    guard end.count <= maximumCount else {
      throw bad(
        .countTooLarge,
        at: end.directory.lowerBound,
        "at most \(maximumCount) files",
        "\(end.count)"
      )
    }
    var archive = ZipDirectory(base: base, directory: end.directory)
    var place = end.directory.lowerBound
    for _ in 0..<end.count {
      try reader.seek(to: UInt64(place))
      let (entry, next) = try archive.entry(&reader)
      if let entry { try visit(&reader, entry) }
      place = next
    }
    guard place == end.directory.upperBound else {
      throw bad(
        .countTooLarge,
        at: place,
        "\(end.count) files",
        "\(end.directory.upperBound - place) bytes more"
      )
    }
    try archive.requireDistinctNames(&reader)
    try archive.requireOwnBytes()
  }

  private init(base: Int, directory: Range<Int>) {
    (self.base, self.directory) = (base, directory)
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

// MARK: - Entries

extension ZipDirectory {
  private struct Record {
    let place: Int
    let flags: UInt16
    let method: UInt16
    var stored: UInt64
    var size: UInt64
    var header: UInt64
    let isLink: Bool
    let name: [UInt8]
  }

  /// Reads the entry where `reader` stands; nil for a folder.
  ///
  /// Also returns where the next one begins.
  private mutating func entry(_ reader: inout FormatReader) throws(FormatStop) -> (ZipEntry?, Int) {
    let record = try Self.record(&reader, end: directory.upperBound)
    let next = reader.offset
    let subject = String(decoding: record.name, as: UTF8.self)
    func stop(_ code: FaultCode, _ expected: String, _ found: String) -> FormatStop {
      .structure(code, at: record.place, "entry \"\(subject)\"", expected: expected, found: found)
    }
    guard Self.isInside(record.name), !record.isLink else {
      throw stop(
        .externalPathUnsafe,
        "a relative name inside the folder",
        record.isLink ? "a link" : "another"
      )
    }
    names.add(record.name, at: record.place)
    guard record.flags & 0x2041 == 0 else {
      throw stop(.badEncoding, "a plain entry", "an encrypted one")
    }
    if record.method == 0, record.stored != record.size {
      throw stop(.badShape, "\(record.size) bytes as they are", "\(record.stored)")
    }
    guard record.size / Self.greatestRatio <= record.stored else {
      throw stop(
        .badShape,
        "at most \(Self.greatestRatio) bytes from each",
        "\(record.size) from \(record.stored)"
      )
    }
    guard record.header <= UInt64(directory.lowerBound - base) else {
      throw stop(.badOffset, "a header before the directory", "one at \(record.header)")
    }
    let start = try dataStart(of: record, &reader)
    guard record.stored <= UInt64(directory.lowerBound - start) else {
      throw stop(
        .outOfBounds,
        "bytes before the directory",
        "\(record.stored) bytes at \(start - base)"
      )
    }
    let data = start..<(start + Int(record.stored))
    ranges.append((base + Int(record.header))..<data.upperBound)
    let isFolder = record.name.last == UInt8(ascii: "/")
    guard !isFolder else {
      guard record.size == 0 else {
        throw stop(.badShape, "a folder without bytes", "\(record.size)")
      }
      return (nil, next)
    }
    let method = ZipEntry.Method(record.method)
    return (ZipEntry(name: record.name, method: method, size: record.size, data: data), next)
  }

  private static func record(_ reader: inout FormatReader, end: Int) throws(FormatStop) -> Record {
    let place = reader.offset
    guard end - place >= 46, try reader.u32() == 0x0201_4B50 else {
      throw bad(.badMagic, at: place, "an entry of the directory", "none")
    }
    let system = try reader.u16() >> 8
    try reader.skip(2)
    let (flags, method) = (try reader.u16(), try reader.u16())
    try reader.skip(8)
    let (stored, size) = (UInt64(try reader.u32()), UInt64(try reader.u32()))
    let (nameLength, extraLength) = (Int(try reader.u16()), Int(try reader.u16()))
    let commentLength = Int(try reader.u16())
    let disk = try reader.u16()
    try reader.skip(2)
    let mode = try reader.u32() >> 16
    let header = UInt64(try reader.u32())
    guard (1...longestName).contains(nameLength) else {
      throw bad(.tooLong, at: place, "a name of 1 to \(longestName) bytes", "\(nameLength)")
    }
    guard nameLength + extraLength + commentLength <= end - reader.offset, disk == 0 else {
      throw bad(.outOfBounds, at: place, "an entry inside the directory", "a longer one")
    }
    let name = try reader.take(nameLength)
    var record = Record(
      place: place,
      flags: flags,
      method: method,
      stored: stored,
      size: size,
      header: header,
      isLink: system == 3 && mode & 0o170000 == 0o120000,
      name: name
    )
    try readWide(&record, try reader.take(extraLength))
    try reader.skip(UInt64(commentLength))
    return record
  }

  /// Takes 64-bit numbers from the extra field in place of those that don't fit 32 bits.
  private static func readWide(_ record: inout Record, _ extra: [UInt8]) throws(FormatStop) {
    var cursor = ByteCursor(extra)
    var isRead = false
    while let id = cursor.u16(), let length = cursor.u16() {
      guard let field = cursor.take(UInt64(length)) else {
        throw bad(.outOfBounds, at: record.place, "an extra field inside the entry", "a longer one")
      }
      guard id == 1 else { continue }
      guard !isRead else {
        throw bad(.duplicateKey, at: record.place, "one field of 64-bit numbers", "two")
      }
      isRead = true
      var numbers = ByteCursor(Array(field))
      if record.size == 0xFFFF_FFFF { record.size = numbers.u64() ?? record.size }
      if record.stored == 0xFFFF_FFFF { record.stored = numbers.u64() ?? record.stored }
      if record.header == 0xFFFF_FFFF { record.header = numbers.u64() ?? record.header }
    }
  }

  /// Compares the header before the bytes of an entry with the directory, and returns where the bytes begin.
  private func dataStart(of record: Record, _ reader: inout FormatReader) throws(FormatStop) -> Int
  {
    let place = base + Int(record.header)
    try reader.seek(to: UInt64(place))
    guard directory.lowerBound - place >= 30, try reader.u32() == 0x0403_4B50 else {
      throw Self.bad(.badMagic, at: place, "the header of an entry", "none")
    }
    try reader.skip(2)
    let (flags, method) = (try reader.u16(), try reader.u16())
    try reader.skip(8)
    let (stored, size) = (UInt64(try reader.u32()), UInt64(try reader.u32()))
    let (nameLength, extraLength) = (Int(try reader.u16()), Int(try reader.u16()))
    guard nameLength + extraLength <= directory.lowerBound - reader.offset else {
      throw Self.bad(.outOfBounds, at: place, "a header before the directory", "a longer one")
    }
    let hasSizes = flags & 8 == 0
    func agrees(_ small: UInt64, _ number: UInt64) -> Bool {
      !hasSizes && small == 0 || small == 0xFFFF_FFFF || small == number
    }
    guard nameLength == record.name.count, try reader.take(nameLength) == record.name,
      method == record.method, agrees(stored, record.stored), agrees(size, record.size)
    else { throw Self.bad(.badOffset, at: place, "the header of the same file", "another") }
    return reader.offset + extraLength
  }

  /// Whether a name stays inside the folder where the archive is unpacked.
  private static func isInside(_ name: [UInt8]) -> Bool {
    let path = name.last == UInt8(ascii: "/") ? name.dropLast() : name[...]
    let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard
      parts.allSatisfy({
        !$0.isEmpty && !$0.elementsEqual("..".utf8) && !$0.elementsEqual(".".utf8)
      })
    else { return false }
    let isDrive = name.dropFirst().first == UInt8(ascii: ":")
    return !isDrive && !name.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
  }
}

// MARK: - Entries together

extension ZipDirectory {
  private mutating func requireDistinctNames(_ reader: inout FormatReader) throws(FormatStop) {
    let end = directory.upperBound
    let place = try names.repetition { place throws(FormatStop) in
      try reader.seek(to: UInt64(place))
      return try Self.record(&reader, end: end).name
    }
    guard let place else { return }
    throw Self.bad(.duplicateName, at: place, "each name once", "a name again")
  }

  private mutating func requireOwnBytes() throws(FormatStop) {
    ranges.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    for (range, next) in zip(ranges, ranges.dropFirst()) where next.lowerBound < range.upperBound {
      throw Self.bad(
        .badOffset,
        at: next.lowerBound,
        "bytes of its own for each file",
        "shared ones"
      )
    }
  }
}
