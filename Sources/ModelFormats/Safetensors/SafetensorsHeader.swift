/// The header of a safetensors file, read as a stream: tensor after tensor, however many there are.
struct SafetensorsHeader {
  static let maximumLength: UInt64 = 100_000_000
  static let maximumTensors = 1_000_000
  /// The most names beside the tensors, each of which is kept track of.
  static let maximumMetadata = 1_000_000
  /// Objects in arrays in the entry of a tensor in the header; deeper than any file has it.
  private static let greatestDepth = 4
  private static let metadataName = "__metadata__"

  /// The bytes of the JSON text after the eight bytes of its length.
  let length: Int

  /// Where the data of the tensors begins.
  var dataStart: Int { 8 + length }

  /// Reads the length, and checks what follows it as far as that tells a header.
  init(_ reader: inout FormatReader) throws(FormatStop) {
    let length = try reader.u64()
    guard (2...Self.maximumLength).contains(length) else {
      throw .structure(
        length < 2 ? .truncated : .tooLong,
        at: 0,
        "the length of the header",
        expected: "2 to \(Self.maximumLength)",
        found: String(length)
      )
    }
    try reader.require(length)
    self.length = Int(length)
  }

  /// Calls `tensor` for each tensor with its name, where the name stands, and what it says.
  ///
  /// - Returns: The members of `__metadata__` that have a meaning here.
  func walk(
    _ reader: inout FormatReader,
    into report: inout FormatReport,
    _ tensor: (_ name: [UInt8], _ place: Int, SafetensorsEntry) throws(FormatStop) -> Void
  ) throws(FormatStop) {
    try reader.within(8..<dataStart) { reader throws(FormatStop) in
      try walkText(&reader, into: &report, tensor)
    }
  }

  private func walkText(
    _ reader: inout FormatReader,
    into report: inout FormatReport,
    _ tensor: (_ name: [UInt8], _ place: Int, SafetensorsEntry) throws(FormatStop) -> Void
  ) throws(FormatStop) {
    let first = try reader.u8()
    guard first == UInt8(ascii: "{") else {
      throw .structure(
        .badEncoding,
        at: 8,
        "the header",
        expected: "an opening brace",
        found: hexadecimal(first)
      )
    }
    reader.putBack(1)
    var scanner = JSONScanner(greatestDepth: Self.greatestDepth)
    _ = try scanner.next(&reader)
    var hasMetadata = false
    while case .name(let name) = try scanner.next(&reader) {
      guard let bytes = name.bytes else { throw Self.tooLong(name) }
      if bytes.elementsEqual(Self.metadataName.utf8) {
        guard !hasMetadata else { throw Self.repeated(name.offset) }
        hasMetadata = true
        try Self.readMetadata(&scanner, &reader, into: &report)
      } else {
        let subject = "tensor \"\(String(decoding: bytes.prefix(128), as: UTF8.self))\""
        let entry = try SafetensorsEntry(
          subject,
          at: name.offset,
          &scanner,
          &reader,
          into: &report
        )
        try tensor(bytes, name.offset, entry)
      }
    }
    scanner.finish(&reader)
    try checkPadding(&reader, into: &report)
  }

  /// Reads the name that stands at `place`.
  static func name(
    at place: Int,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> [UInt8] {
    try reader.within(place..<reader.size) { reader throws(FormatStop) in
      var scanner = JSONScanner(greatestDepth: 1)
      guard case .string(let text) = try scanner.next(&reader), let bytes = text.bytes else {
        // The file has changed since its names were noted.
        throw .structure(
          .badEncoding,
          at: place,
          "a name in the header",
          expected: "the text that stood there before",
          found: "another value"
        )
      }
      return bytes
    }
  }

  static func repeated(_ offset: Int) -> FormatStop {
    .structure(
      .duplicateKey,
      at: offset,
      "a name in the header",
      expected: "each name once",
      found: "one that stands before"
    )
  }

  private static func tooLong(_ name: JSONScanner.Text) -> FormatStop {
    .structure(
      .tooLong,
      at: name.offset,
      "a name in the header",
      expected: "at most 65536 bytes",
      found: "more"
    )
  }
}

// MARK: - Beside the tensors

extension SafetensorsHeader {
  private static func readMetadata(
    _ scanner: inout JSONScanner,
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    guard try scanner.next(&reader) == .beginObject else {
      throw .structure(
        .badType,
        at: scanner.offset(in: reader),
        metadataName,
        expected: "an object of texts",
        found: "another value"
      )
    }
    var ledger = NameLedger()
    while case .name(let name) = try scanner.next(&reader) {
      guard let bytes = name.bytes else { throw tooLong(name) }
      guard ledger.count < maximumMetadata else {
        throw .structure(
          .countTooLarge,
          at: name.offset,
          metadataName,
          expected: "at most \(maximumMetadata) names",
          found: "more"
        )
      }
      ledger.add(bytes, at: name.offset)
      guard case .string(let text) = try scanner.next(&reader) else {
        throw .structure(
          .badType,
          at: name.offset,
          "the value of \"\(String(decoding: bytes.prefix(128), as: UTF8.self))\"",
          expected: "a text",
          found: "another value"
        )
      }
      if name.equals("format") { report.note("framework", text: text.bytes ?? []) }
      if name.equals("license") {
        report.note("license", text: text.bytes ?? [])
        report.note(license: text.bytes ?? [])
      }
    }
    let repetition = try ledger.repetition { place throws(FormatStop) in
      try Self.name(at: place, &reader)
    }
    if let repetition { throw repeated(repetition) }
  }

  /// Checks that only spaces follow the JSON text up to the data.
  private func checkPadding(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var isUsual = true
    while reader.remaining > 0 {
      let place = reader.offset
      let bytes = try reader.takeWindow()
      for (index, byte) in zip(place..., bytes) where byte != 0x20 {
        guard byte == 0x0A || byte == 0x0D || byte == 0x09 else {
          throw .structure(
            .badEncoding,
            at: index,
            "the padding of the header",
            expected: "spaces",
            found: hexadecimal(byte)
          )
        }
        guard isUsual else { continue }
        isUsual = false
        report.warn(
          .badEncoding,
          at: index,
          "the padding of the header",
          expected: "spaces",
          found: hexadecimal(byte)
        )
      }
    }
    if dataStart % 8 != 0 {
      report.warn(
        .badOffset,
        at: dataStart,
        "the start of the data",
        expected: "a multiple of 8",
        found: String(dataStart)
      )
    }
  }
}
