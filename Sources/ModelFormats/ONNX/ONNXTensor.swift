/// One tensor of an ONNX model: its shape, and where its bytes lie.
struct ONNXTensor {
  private(set) var dataType: UInt64 = 0
  private(set) var name = ""
  private var elements: UInt64 = 1
  private var rawLength: UInt64?
  private var floatBytes: UInt64 = 0
  private var doubleBytes: UInt64 = 0
  private var external: [String: [UInt8]] = [:]
  private var isExternal = false
  private let offset: Int

  /// Reads the tensor that fills `reader` up to its limit.
  init(_ reader: inout FormatReader, _ walk: inout ONNXWalk) throws(FormatStop) {
    offset = reader.offset
    try reader.fields { reader, field throws(FormatStop) in
      guard try walk.kind(of: field, in: .tensor) != nil else { return }
      try take(field, &reader, &walk)
    }
  }

  private mutating func take(
    _ field: ProtobufField,
    _ reader: inout FormatReader,
    _ walk: inout ONNXWalk
  ) throws(FormatStop) {
    switch field.number {
    case 1: try takeDimensions(field, &reader)
    case 2: dataType = field.value
    case 4: floatBytes += field.wire == .bytes ? field.value : 4
    case 8: name = plainText(try reader.content(of: field) ?? []) ?? ""
    case 9: rawLength = field.value
    case 10: doubleBytes += field.wire == .bytes ? field.value : 8
    case 13: try takeExternal(field, &reader, &walk)
    case 14: isExternal = field.value == 1
    default: break
    }
  }

  private mutating func takeDimensions(
    _ field: ProtobufField,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    guard field.wire == .bytes else { return try takeDimension(field.value) }
    try reader.within(next: field.value) { reader throws(FormatStop) in
      while reader.remaining > 0 { try takeDimension(try reader.varint()) }
    }
  }

  private mutating func takeDimension(_ dimension: UInt64) throws(FormatStop) {
    guard let count = Int64(exactly: dimension) else {
      throw stop(.badShape, "a dimension of 0 or more", "\(Int64(bitPattern: dimension))")
    }
    let (product, overflowed) = elements.multipliedReportingOverflow(by: UInt64(count))
    guard !overflowed, product <= UInt64(Int64.max) else {
      throw stop(.overflow, "fewer than 2^63 elements", "more")
    }
    elements = product
  }

  private mutating func takeExternal(
    _ field: ProtobufField,
    _ reader: inout FormatReader,
    _ walk: inout ONNXWalk
  ) throws(FormatStop) {
    let (key, value) = try walk.entry(field, &reader)
    let name = String(decoding: key, as: UTF8.self)
    guard external.updateValue(value, forKey: name) == nil else {
      throw stop(.duplicateKey, "each key of external data once", "\"\(name)\" again")
    }
    guard external.count <= 16 else { throw stop(.countTooLarge, "at most 16 keys", "more") }
  }

  func stop(_ code: FaultCode, _ expected: String, _ found: String) -> FormatStop {
    .structure(code, at: offset, "tensor \"\(name)\"", expected: expected, found: found)
  }
}

extension ONNXTensor {
  /// Checks the bytes that stand in the model, and notes those that must stand in another file.
  func check(_ walk: inout ONNXWalk) throws(FormatStop) {
    guard dataType > 0 else { throw stop(.badType, "a data type", "none") }
    guard let row = ONNXDataType.row(dataType) else {
      return walk.report.leaveUnverified(
        .unknownTensorType,
        at: offset,
        "tensor \"\(name)\"",
        expected: "a data type up to 28",
        found: "\(dataType)"
      )
    }
    walk.report.types.insert(row.name)
    var size: UInt64?
    if let bits = row.bits {
      size = ONNXDataType.size(elements, bits: bits)
      guard size != nil else { throw stop(.overflow, "a size below 2^64 bytes", "more") }
    }
    if isExternal || !external.isEmpty { return try checkExternal(size, &walk) }
    try checkInner(size)
  }

  private func checkInner(_ size: UInt64?) throws(FormatStop) {
    guard let size else { return }
    let isTyped = dataType == 1 && floatBytes > 0 || dataType == 11 && doubleBytes > 0
    let typed = dataType == 1 ? floatBytes : doubleBytes
    guard let length = rawLength ?? (isTyped ? typed : nil) else { return }
    guard length == size else {
      throw stop(.badShape, "\(size) bytes by its shape", "\(length) bytes of data")
    }
  }

  private func checkExternal(_ size: UInt64?, _ walk: inout ONNXWalk) throws(FormatStop) {
    guard dataType != ONNXDataType.string else {
      throw stop(.badType, "strings inside the model", "strings in another file")
    }
    guard let bytes = external["location"] else {
      throw stop(.externalPathUnsafe, "the location of its data", "none")
    }
    let location: ExternalLocation
    do throws(ExternalLocation.Refusal) {
      location = try ExternalLocation(bytes)
    } catch {
      throw stop(.externalPathUnsafe, error.expected, error.found)
    }
    let start = try number("offset") ?? 0
    let length = try number("length")
    if let length, let size, length != size {
      throw stop(.outOfBounds, "\(size) bytes by its shape", "a length of \(length)")
    }
    guard let count = length ?? size else {
      return walk.report.leaveUnverified(
        .unknownTensorType,
        at: offset,
        "tensor \"\(name)\"",
        expected: "a length of its external data",
        found: "none"
      )
    }
    let (end, overflowed) = start.addingReportingOverflow(count)
    guard !overflowed else { throw stop(.overflow, "an end below 2^64", "more") }
    try walk.external(location.path, end: end, at: offset)
  }

  /// Reads a decimal number of the external data; nil if it isn't there.
  private func number(_ key: String) throws(FormatStop) -> UInt64? {
    guard let digits = external[key] else { return nil }
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }), let value = UInt64(text) else {
      throw stop(.outOfBounds, "a decimal \(key) below 2^64", "\"\(text)\"")
    }
    return value
  }
}
