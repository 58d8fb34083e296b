/// Walks all messages of an ONNX model in one pass, and keeps what the report needs.
///
/// Every tensor is visited, wherever it stands: external data may hide in attributes, subgraphs, functions and
/// training graphs.
struct ONNXWalk {
  /// How deep graphs may stand in each other, and messages, which are three to a graph.
  private static let maximumGraphs = 32
  private static let maximumMessages = 110
  private static let maximumFiles = 65_536
  private static let maximumDomains = 256
  /// The longest name of a domain, key or location that is read.
  private static let maximumText = 4_096

  var report: FormatReport
  private(set) var irVersion: UInt64?
  /// The greatest version of each set of operators; the standard one is named `ai.onnx`.
  private(set) var opsets: [String: UInt64] = [:]
  /// The domains of the operators that the graphs call.
  private(set) var called: Set<String> = []
  /// The domains of the functions that the model brings along.
  private(set) var defined: Set<String> = []
  private(set) var nodeCount = 0
  private(set) var initializerCount = 0
  private(set) var outputCount = 0
  private(set) var hasGraph = false
  /// The data files, with the least size that each must have.
  private(set) var files: [String: UInt64] = [:]
  private var graphDepth = 0

  init(_ report: FormatReport) { self.report = report }

  /// Walks the model that fills the file.
  mutating func model(_ reader: inout FormatReader) throws(FormatStop) {
    try walk(.model, &reader, depth: 0)
  }

  /// Walks a message that fills `reader` up to its limit.
  private mutating func walk(
    _ message: ONNXMessage,
    _ reader: inout FormatReader,
    depth: Int
  ) throws(FormatStop) {
    guard depth <= Self.maximumMessages, graphDepth <= Self.maximumGraphs else {
      throw .structure(
        .countTooLarge,
        at: reader.offset,
        "the graphs inside each other",
        expected: "at most \(Self.maximumGraphs)",
        found: "more"
      )
    }
    if message == .graph { graphDepth += 1 }
    var seen: Set<Int> = []
    try reader.fields { reader, field throws(FormatStop) in
      guard let kind = try kind(of: field, in: message) else { return }
      switch kind {
      case .message(let inner):
        guard seen.insert(field.number).inserted else { throw duplicate(field, message) }
        try descend(field, inner, &reader, depth: depth)
      case .messages(.opset), .messages(.entry): try note(field, of: message, &reader)
      case .messages(let inner):
        count(field, of: message)
        try descend(field, inner, &reader, depth: depth)
      default: try note(field, of: message, &reader)
      }
    }
    if message == .graph { graphDepth -= 1 }
  }

  private mutating func descend(
    _ field: ProtobufField,
    _ inner: ONNXMessage,
    _ reader: inout FormatReader,
    depth: Int
  ) throws(FormatStop) {
    try reader.within(next: field.value) { reader throws(FormatStop) in
      guard inner == .tensor else { return try walk(inner, &reader, depth: depth + 1) }
      let tensor = try ONNXTensor(&reader, &self)
      try tensor.check(&self)
    }
  }

  /// Returns what a field holds; nil after a warning for one that the message doesn't have.
  mutating func kind(
    of field: ProtobufField,
    in message: ONNXMessage
  ) throws(FormatStop) -> ONNXMessage.Kind? {
    guard let kind = message.kind(of: field.number) else {
      report.warn(
        .unknownField,
        at: field.offset,
        "the message \(message)",
        expected: "a field of ONNX 1.22",
        found: "field \(field.number)"
      )
      return nil
    }
    guard kind.allows(field.wire) else {
      throw .structure(
        .badType,
        at: field.offset,
        "field \(field.number) of the message \(message)",
        expected: "another wire type",
        found: "wire type \(field.wire.rawValue)"
      )
    }
    return kind
  }

  private func duplicate(_ field: ProtobufField, _ message: ONNXMessage) -> FormatStop {
    .structure(
      .duplicateKey,
      at: field.offset,
      "field \(field.number) of the message \(message)",
      expected: "once",
      found: "again"
    )
  }
}

// MARK: - What is noted on the way

extension ONNXWalk {
  private mutating func count(_ field: ProtobufField, of message: ONNXMessage) {
    switch (message, field.number) {
    case (.graph, 1), (.function, 7): nodeCount += 1
    case (.graph, 5), (.graph, 15): initializerCount += 1
    default: break
    }
  }

  private mutating func note(
    _ field: ProtobufField,
    of message: ONNXMessage,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    switch (message, field.number) {
    case (.model, 1): irVersion = field.value
    case (.model, 2): try noteText("producer", field, &reader)
    case (.model, 3): try noteText("producerVersion", field, &reader)
    case (.model, 8), (.function, 9): try noteOpset(field, &reader)
    case (.model, 14): try noteProperty(field, &reader)
    case (.graph, 12) where graphDepth == 1: outputCount += 1
    case (.node, 7): insert(try text(field, &reader), into: \.called)
    case (.function, 10): insert(try text(field, &reader), into: \.defined)
    default: break
    }
  }

  private mutating func noteText(
    _ name: String,
    _ field: ProtobufField,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    let bytes = try text(field, &reader)
    if !bytes.isEmpty { report.note(name, text: bytes) }
  }

  private func text(
    _ field: ProtobufField,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> [UInt8] {
    try reader.content(of: field, limit: Self.maximumText) ?? []
  }

  /// The name of a domain as it is shown; the empty one is the standard.
  private static func domain(_ bytes: [UInt8]) -> String {
    bytes.isEmpty ? "ai.onnx" : String(decoding: bytes.prefix(256), as: UTF8.self)
  }

  private mutating func insert(
    _ bytes: [UInt8],
    into domains: WritableKeyPath<ONNXWalk, Set<String>>
  ) {
    guard self[keyPath: domains].count < Self.maximumDomains else { return }
    self[keyPath: domains].insert(Self.domain(bytes))
  }

  /// Takes the greatest version where the model and its functions import one domain several times.
  private mutating func noteOpset(
    _ field: ProtobufField,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    var name: [UInt8] = []
    var version: UInt64 = 0
    try reader.message(field) { reader, inner throws(FormatStop) in
      guard try kind(of: inner, in: .opset) != nil else { return }
      if inner.number == 1 { name = try text(inner, &reader) }
      if inner.number == 2 { version = inner.value }
    }
    let domain = Self.domain(name)
    guard opsets[domain] != nil || opsets.count < Self.maximumDomains else {
      throw .structure(
        .countTooLarge,
        at: field.offset,
        "the imported sets of operators",
        expected: "at most \(Self.maximumDomains)",
        found: "more"
      )
    }
    guard (1...UInt64(Int32.max)).contains(version) else {
      throw .structure(
        .unsupportedVersion,
        at: field.offset,
        "the operator set \(domain)",
        expected: "a version over 0",
        found: "\(version)"
      )
    }
    opsets[domain] = max(opsets[domain] ?? 0, version)
  }

  private mutating func noteProperty(
    _ field: ProtobufField,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    let (key, value) = try entry(field, &reader)
    let name = String(
      decoding: key.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
      as: UTF8.self
    )
    if name == "license" || name == "licence" { report.note(license: value) }
  }

  /// Reads a key and its value; texts over the limit are taken for empty ones.
  mutating func entry(
    _ field: ProtobufField,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> (key: [UInt8], value: [UInt8]) {
    var key: [UInt8] = []
    var value: [UInt8] = []
    try reader.message(field) { reader, inner throws(FormatStop) in
      guard try kind(of: inner, in: .entry) != nil else { return }
      if inner.number == 1 { key = try text(inner, &reader) }
      if inner.number == 2 { value = try text(inner, &reader) }
    }
    return (key, value)
  }

  /// Notes that a file must have bytes up to `end`.
  mutating func external(_ path: String, end: UInt64, at offset: Int) throws(FormatStop) {
    if files[path] == nil, files.count == Self.maximumFiles {
      throw .structure(
        .countTooLarge,
        at: offset,
        "the external data",
        expected: "at most \(Self.maximumFiles) files",
        found: "more"
      )
    }
    files[path] = max(files[path] ?? 0, end)
  }
}
