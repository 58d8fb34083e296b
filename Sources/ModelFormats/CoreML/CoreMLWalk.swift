/// Walks a Core ML model specification and keeps what the report needs.
///
/// Of programs, every value is visited: any may name a place in a file of weights.
struct CoreMLWalk {
  private static let maximumDepth = 100
  private static let maximumBlobs = 1 << 20
  private static let maximumNames = 64
  private static let maximumText = 4_096

  var report: FormatReport
  private(set) var version: UInt64 = 0
  private(set) var isUpdatable = false
  /// The kind of model, by the number of its field.
  private(set) var type = ""
  /// The sets of operators that programs use, such as `CoreML5`.
  private(set) var opsets: Set<String> = []
  /// The places in files of weights, by the path from the folder of the model.
  private(set) var files: [String: Set<UInt64>] = [:]
  private var blobCount = 0

  init(_ report: FormatReport) { self.report = report }

  /// Walks the model that fills the file.
  mutating func model(_ reader: inout FormatReader) throws(FormatStop) {
    let number = try model(&reader, depth: 0)
    type = Self.typeName(number)
  }

  /// Walks a model and returns the number of its type.
  private mutating func model(_ reader: inout FormatReader, depth: Int) throws(FormatStop) -> Int {
    try requireDepth(depth, reader)
    let place = reader.offset
    var types: [Int] = []
    var hasDescription = false
    try reader.fields { reader, field throws(FormatStop) in
      switch field.number {
      case 1 where depth == 0:
        try reader.require(.varint, field)
        version = field.value
      case 2:
        try refuseSecond(&hasDescription, field)
        if depth == 0 { try description(field, &reader) }
      case 10 where depth == 0: isUpdatable = field.value == 1
      case 200...:
        try reader.require(.bytes, field)
        types.append(field.number)
        try content(field, &reader, depth: depth)
      default: break
      }
    }
    guard types.count == 1, let type = types.first else {
      throw .structure(
        types.isEmpty ? .missingKey : .duplicateKey,
        at: place,
        "the model",
        expected: "exactly one type",
        found: "\(types.count)"
      )
    }
    return type
  }

  private func refuseSecond(_ isSeen: inout Bool, _ field: ProtobufField) throws(FormatStop) {
    guard !isSeen else {
      throw .structure(
        .duplicateKey,
        at: field.offset,
        "protobuf field \(field.number)",
        expected: "once",
        found: "again"
      )
    }
    isSeen = true
  }

  private func requireDepth(_ depth: Int, _ reader: borrowing FormatReader) throws(FormatStop) {
    guard depth <= Self.maximumDepth else {
      throw .structure(
        .countTooLarge,
        at: reader.offset,
        "the messages inside each other",
        expected: "at most \(Self.maximumDepth)",
        found: "more"
      )
    }
  }

  private mutating func description(
    _ field: ProtobufField,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    try reader.message(field) { reader, inner throws(FormatStop) in
      guard inner.number == 100 else { return }
      try reader.message(inner) { reader, metadata throws(FormatStop) in
        switch metadata.number {
        case 3: report.note("author", text: try text(metadata, &reader))
        case 4: report.note(license: try text(metadata, &reader))
        case 100: try userDefined(metadata, &reader)
        default: break
        }
      }
    }
  }

  /// Takes from the free entries the one in which converters name themselves.
  private mutating func userDefined(
    _ field: ProtobufField,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    var key: [UInt8] = []
    var value: [UInt8] = []
    try reader.message(field) { reader, part throws(FormatStop) in
      if part.number == 1 { key = try text(part, &reader) }
      if part.number == 2 { value = try text(part, &reader) }
    }
    if key.elementsEqual("com.github.apple.coremltools.version".utf8) {
      report.note("producer", text: Array("coremltools ".utf8) + value)
    }
  }

  private func text(
    _ field: ProtobufField,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> [UInt8] {
    try reader.content(of: field, limit: Self.maximumText) ?? []
  }

  /// Walks the types that hold models or programs.
  private mutating func content(
    _ field: ProtobufField,
    _ reader: inout FormatReader,
    depth: Int
  ) throws(FormatStop) {
    switch field.number {
    case 200, 201:
      try reader.message(field) { reader, inner throws(FormatStop) in
        if inner.number == 1 { try pipeline(inner, &reader, depth: depth + 1) }
      }
    case 202: try pipeline(field, &reader, depth: depth)
    case 502:
      try reader.message(field) { reader, inner throws(FormatStop) in
        if inner.number == 2 { try function(inner, &reader, depth: depth + 1) }
      }
    default: break
    }
  }

  private mutating func pipeline(
    _ field: ProtobufField,
    _ reader: inout FormatReader,
    depth: Int
  ) throws(FormatStop) {
    try reader.message(field) { reader, inner throws(FormatStop) in
      guard inner.number == 1 else { return }
      try reader.require(.bytes, inner)
      try reader.within(next: inner.value) { reader throws(FormatStop) in
        _ = try model(&reader, depth: depth + 1)
      }
    }
  }
}

// MARK: - Programs (MIL.proto)

extension CoreMLWalk {
  /// Walks an entry of the map of functions: its name and the function.
  private mutating func function(
    _ entry: ProtobufField,
    _ reader: inout FormatReader,
    depth: Int
  ) throws(FormatStop) {
    try reader.message(entry) { reader, value throws(FormatStop) in
      guard value.number == 2 else { return }
      try reader.message(value) { reader, part throws(FormatStop) in
        switch part.number {
        case 2: insert(opset: try text(part, &reader))
        case 3: try specialization(part, &reader, depth: depth + 1)
        case 4: try values(part, &reader, depth: depth + 1)
        default: break
        }
      }
    }
  }

  private mutating func insert(opset name: [UInt8]) {
    guard let name = plainText(name, limit: 64), opsets.count < Self.maximumNames else { return }
    opsets.insert(name)
  }

  /// Walks an entry of the map of blocks, whose key is a set of operators.
  private mutating func specialization(
    _ entry: ProtobufField,
    _ reader: inout FormatReader,
    depth: Int
  ) throws(FormatStop) {
    try reader.message(entry) { reader, part throws(FormatStop) in
      if part.number == 1 { insert(opset: try text(part, &reader)) }
      if part.number == 2 { try block(part, &reader, depth: depth + 1) }
    }
  }

  private mutating func block(
    _ field: ProtobufField,
    _ reader: inout FormatReader,
    depth: Int
  ) throws(FormatStop) {
    try requireDepth(depth, reader)
    try reader.message(field) { reader, part throws(FormatStop) in
      if part.number == 3 { try operation(part, &reader, depth: depth + 1) }
      if part.number == 4 { try values(part, &reader, depth: depth + 1) }
    }
  }

  private mutating func operation(
    _ field: ProtobufField,
    _ reader: inout FormatReader,
    depth: Int
  ) throws(FormatStop) {
    try reader.message(field) { reader, part throws(FormatStop) in
      switch part.number {
      case 2: try argument(part, &reader, depth: depth + 1)
      case 4: try block(part, &reader, depth: depth + 1)
      case 5: try values(part, &reader, depth: depth + 1)
      default: break
      }
    }
  }

  /// Walks an entry of the map of inputs: its bindings are names or values.
  private mutating func argument(
    _ entry: ProtobufField,
    _ reader: inout FormatReader,
    depth: Int
  ) throws(FormatStop) {
    try reader.message(entry) { reader, value throws(FormatStop) in
      guard value.number == 2 else { return }
      try reader.message(value) { reader, binding throws(FormatStop) in
        guard binding.number == 1 else { return }
        try reader.message(binding) { reader, bound throws(FormatStop) in
          if bound.number == 2 { try self.value(bound, &reader, depth: depth + 1) }
        }
      }
    }
  }

  /// Walks an entry of a map whose values are values.
  private mutating func values(
    _ entry: ProtobufField,
    _ reader: inout FormatReader,
    depth: Int
  ) throws(FormatStop) {
    try reader.message(entry) { reader, part throws(FormatStop) in
      if part.number == 2 { try value(part, &reader, depth: depth + 1) }
    }
  }

  private mutating func value(
    _ field: ProtobufField,
    _ reader: inout FormatReader,
    depth: Int
  ) throws(FormatStop) {
    try requireDepth(depth, reader)
    try reader.message(field) { reader, part throws(FormatStop) in
      if part.number == 3 { try immediate(part, &reader, depth: depth + 1) }
      if part.number == 5 { try blob(part, &reader) }
    }
  }

  /// Walks a value that stands in the model: of tuples, lists and dictionaries the values inside.
  private mutating func immediate(
    _ field: ProtobufField,
    _ reader: inout FormatReader,
    depth: Int
  ) throws(FormatStop) {
    try reader.message(field) { reader, kind throws(FormatStop) in
      guard (2...4).contains(kind.number) else { return }
      try reader.message(kind) { reader, inner throws(FormatStop) in
        guard inner.number == 1 else { return }
        guard kind.number == 4 else { return try value(inner, &reader, depth: depth + 1) }
        try reader.message(inner) { reader, pair throws(FormatStop) in
          if pair.number <= 2 { try value(pair, &reader, depth: depth + 1) }
        }
      }
    }
  }

  private mutating func blob(
    _ field: ProtobufField,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    var name: [UInt8] = []
    var offset: UInt64 = 0
    try reader.message(field) { reader, part throws(FormatStop) in
      if part.number == 1 { name = try text(part, &reader) }
      if part.number == 2 {
        try reader.require(.varint, part)
        offset = part.value
      }
    }
    func stop(_ code: FaultCode, _ expected: String, _ found: String) -> FormatStop {
      .structure(
        code,
        at: field.offset,
        "a place in a file of weights",
        expected: expected,
        found: found
      )
    }
    let prefix = Array("@model_path/".utf8)
    guard name.starts(with: prefix) else {
      throw stop(.externalPathUnsafe, "a name that begins with @model_path/", "another")
    }
    let location: ExternalLocation
    do throws(ExternalLocation.Refusal) {
      location = try ExternalLocation(Array(name.dropFirst(prefix.count)))
    } catch {
      throw stop(.externalPathUnsafe, error.expected, error.found)
    }
    guard offset % 64 == 0 else { throw stop(.badOffset, "a multiple of 64", "\(offset)") }
    if files[location.path, default: []].insert(offset).inserted { blobCount += 1 }
    guard blobCount <= Self.maximumBlobs, files.count <= Self.maximumNames else {
      throw stop(
        .countTooLarge,
        "at most \(Self.maximumBlobs) places in \(Self.maximumNames) files",
        "more"
      )
    }
  }

  private static func typeName(_ number: Int) -> String {
    switch number {
    case 200: "pipelineClassifier"
    case 201: "pipelineRegressor"
    case 202: "pipeline"
    case 500: "neuralNetwork"
    case 502: "mlProgram"
    case 555: "customModel"
    case 556: "linkedModel"
    default: "type \(number)"
    }
  }
}
