/// One tensor in the header of a safetensors file.
struct SafetensorsEntry {
  /// Where its name stands.
  let offset: Int
  let type: String
  let elementCount: UInt64
  /// The bytes of its data, counted from the end of the header.
  let begin, end: UInt64

  /// The most names of one object that are compared for repetition.
  private static let maximumNames = 1_024
}

extension SafetensorsEntry {
  /// Reads the object that describes the tensor `subject`, whose name stands at `offset`.
  init(
    _ subject: String,
    at offset: Int,
    _ scanner: inout JSONScanner,
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    guard try scanner.next(&reader) == .beginObject else {
      throw .structure(.badType, offset, subject, "an object", "another value")
    }
    var type: String?
    var elementCount: UInt64?
    var range: (begin: UInt64, end: UInt64)?
    var names: Set<[UInt8]> = []
    while case .name(let name) = try scanner.next(&reader) {
      try Self.insert(name, into: &names, subject)
      if name.equals("dtype") {
        type = try Self.type(subject, name.offset, &scanner, &reader)
      } else if name.equals("shape") {
        elementCount = try Self.product(subject, name.offset, &scanner, &reader)
      } else if name.equals("data_offsets") {
        range = try Self.range(subject, name.offset, &scanner, &reader)
      } else {
        report.warn(
          .unknownField,
          at: name.offset,
          subject,
          expected: "dtype, shape and data_offsets",
          found: Self.shown(name)
        )
        try Self.skipValue(subject, &scanner, &reader)
      }
    }
    guard let type, let elementCount, let range else {
      let missing = type == nil ? "dtype" : elementCount == nil ? "shape" : "data_offsets"
      throw .structure(.missingKey, offset, subject, missing, "none")
    }
    (self.offset, self.type, self.elementCount) = (offset, type, elementCount)
    (begin, end) = range
    try checkSize(subject)
  }

  /// Checks that as many bytes are named as type and shape take.
  private func checkSize(_ subject: String) throws(FormatStop) {
    guard let known = SafetensorsType.all[type] else {
      throw .structure(.badType, offset, subject, "a dtype that the format has", type)
    }
    let (bits, overflowed) = elementCount.multipliedReportingOverflow(by: known.bits)
    guard !overflowed else {
      throw .structure(
        .overflow,
        offset,
        subject,
        "fewer than 2^64 bits",
        "\(elementCount) \(type)"
      )
    }
    guard bits % 8 == 0 else {
      throw .structure(.badShape, offset, subject, "whole bytes", "\(bits) bits")
    }
    guard begin <= end else {
      throw .structure(.badOffset, offset, subject, "an end from \(begin) on", String(end))
    }
    guard end - begin == bits / 8 else {
      throw .structure(.badShape, offset, subject, "\(bits / 8) bytes", String(end - begin))
    }
  }
}

// MARK: - Fields

extension SafetensorsEntry {
  private static func type(
    _ subject: String,
    _ offset: Int,
    _ scanner: inout JSONScanner,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> String {
    guard case .string(let text) = try scanner.next(&reader),
      let type = text.bytes.flatMap({ plainText($0, limit: 64) })
    else { throw .structure(.badType, offset, subject, "a dtype that the format has", "none") }
    return type
  }

  private static func product(
    _ subject: String,
    _ offset: Int,
    _ scanner: inout JSONScanner,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> UInt64 {
    guard try scanner.next(&reader) == .beginArray else {
      throw .structure(.badShape, offset, subject, "an array of numbers", "another value")
    }
    var product: UInt64 = 1
    while let number = try number(.badShape, subject, &scanner, &reader) {
      let (next, overflowed) = product.multipliedReportingOverflow(by: number)
      guard !overflowed else {
        throw .structure(
          .overflow,
          offset,
          subject,
          "fewer than 2^64 elements",
          "\(product) times \(number)"
        )
      }
      product = next
    }
    return product
  }

  private static func range(
    _ subject: String,
    _ offset: Int,
    _ scanner: inout JSONScanner,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> (begin: UInt64, end: UInt64) {
    guard try scanner.next(&reader) == .beginArray,
      let begin = try number(.badOffset, subject, &scanner, &reader),
      let end = try number(.badOffset, subject, &scanner, &reader),
      try number(.badOffset, subject, &scanner, &reader) == nil
    else {
      throw .structure(.badOffset, offset, subject, "an array of two numbers", "another value")
    }
    return (begin, end)
  }

  /// Reads an element of an array, a plain number from 0 on; nil at the end of the array.
  private static func number(
    _ code: FaultCode,
    _ subject: String,
    _ scanner: inout JSONScanner,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> UInt64? {
    let token = try scanner.next(&reader)
    if token == .endArray { return nil }
    guard case .number(let digits, let offset) = token else {
      throw .structure(code, scanner.offset(in: reader), subject, "a number", "another value")
    }
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = UInt64(String(decoding: digits, as: UTF8.self))
    else {
      let found = String(decoding: digits, as: UTF8.self)
      throw .structure(code, offset, subject, "plain digits below 2^64", found)
    }
    return number
  }

  /// Skips a value, in which no object may have a name twice either.
  private static func skipValue(
    _ subject: String,
    _ scanner: inout JSONScanner,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    let outer = scanner.depth
    var names: [Set<[UInt8]>] = []
    repeat {
      switch try scanner.next(&reader) {
      case .beginObject, .beginArray: names.append([])
      case .endObject, .endArray: names.removeLast()
      case .name(let name): try insert(name, into: &names[names.count - 1], subject)
      default: break
      }
    } while scanner.depth > outer
  }

  private static func insert(
    _ name: JSONScanner.Text,
    into names: inout Set<[UInt8]>,
    _ subject: String
  ) throws(FormatStop) {
    guard let bytes = name.bytes, bytes.count <= 256, names.count < maximumNames else {
      throw .structure(.tooLong, name.offset, subject, "a few short names", "more")
    }
    guard names.insert(bytes).inserted else {
      throw .structure(.duplicateKey, name.offset, subject, "each name once", shown(name))
    }
  }

  private static func shown(_ name: JSONScanner.Text) -> String {
    String(decoding: (name.bytes ?? []).prefix(128), as: UTF8.self)
  }
}
