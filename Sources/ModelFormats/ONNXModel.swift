import Manifests

/// The facts at the top of an ONNX model.
struct ONNXModel: Equatable {
  private enum Number {
    static let irVersion: UInt64 = 1
    static let graph: UInt64 = 7
    static let opset: UInt64 = 8
    static let known: Set<UInt64> = [1, 2, 3, 4, 5, 6, 7, 8, 14, 20, 25, 26]
  }

  let irVersion: Int
  /// The version of each set of operators; the standard one is named `ai.onnx`.
  let opsets: [String: Int]

  /// Whether the fields are those of an ONNX model; a cut file still looks like one.
  static func matches(_ message: ProtobufFields) -> Bool {
    guard message.end != .malformed, let version = message.value(Number.irVersion),
      (1...1_000).contains(version)
    else { return false }
    let isKnown = message.fields.allSatisfy { Number.known.contains($0.number) }
    if case .truncated = message.end { return isKnown }
    return isKnown && !message.contents(Number.graph).isEmpty
      && !message.contents(Number.opset).isEmpty
  }

  /// Reads the versions of at most 256 sets of operators.
  init<Source: ByteSource>(
    _ source: Source,
    _ message: ProtobufFields
  ) throws(Source.Failure) {
    irVersion = Int(clamping: message.value(Number.irVersion) ?? 0)
    var opsets: [String: Int] = [:]
    for content in message.contents(Number.opset).prefix(256) where content.count <= 1_024 {
      let bytes = try source.read(at: content.lowerBound, count: content.count)
      let opset = ProtobufFields(BytesInMemory(bytes))
      guard opset.end == .whole, let version = opset.value(2),
        version <= UInt64(FileEntry.maximumSize)
      else { continue }
      let name = opset.contents(1).last.map { Array(bytes[$0]) } ?? []
      guard let domain = plainText(name) else { continue }
      opsets[domain.isEmpty ? "ai.onnx" : domain] = Int(version)
    }
    self.opsets = opsets
  }
}
