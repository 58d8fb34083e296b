/// The messages of an ONNX model and their fields, as `onnx.proto` of version 1.22 has them.
enum ONNXMessage {
  case model, graph, node, attribute, tensor, sparseTensor, training, function, opset, entry

  /// What a field holds.
  enum Kind: Equatable {
    case number, float, bytes
    /// Numbers, each by itself or packed into one field.
    case numbers, fixed32s, fixed64s
    /// A message of which the format has one; protobuf would merge several.
    case message(ONNXMessage)
    case messages(ONNXMessage)
    /// A message that holds no tensor, so that it isn't walked.
    case opaque
  }

  /// The kind of a field; nil for a number that the message doesn't have.
  func kind(of number: Int) -> Kind? { number < fields.count ? fields[number] : nil }

  private var fields: [Kind?] {
    switch self {
    case .model: Self.modelFields
    case .graph: Self.graphFields
    case .node: Self.nodeFields
    case .attribute: Self.attributeFields
    case .tensor: Self.tensorFields
    case .sparseTensor: Self.sparseTensorFields
    case .training: Self.trainingFields
    case .function: Self.functionFields
    case .opset: Self.opsetFields
    case .entry: Self.entryFields
    }
  }

  private static let modelFields = table([
    1: .number, 2: .bytes, 3: .bytes, 4: .bytes, 5: .number, 6: .bytes, 7: .message(.graph),
    8: .messages(.opset), 14: .messages(.entry), 20: .messages(.training),
    25: .messages(.function), 26: .opaque,
  ])
  private static let graphFields = table([
    1: .messages(.node), 2: .bytes, 5: .messages(.tensor), 10: .bytes, 11: .opaque, 12: .opaque,
    13: .opaque, 14: .opaque, 15: .messages(.sparseTensor), 16: .messages(.entry),
  ])
  private static let nodeFields = table([
    1: .bytes, 2: .bytes, 3: .bytes, 4: .bytes, 5: .messages(.attribute), 6: .bytes, 7: .bytes,
    8: .bytes, 9: .messages(.entry), 10: .opaque,
  ])
  private static let attributeFields = table([
    1: .bytes, 2: .float, 3: .number, 4: .bytes, 5: .message(.tensor), 6: .message(.graph),
    7: .fixed32s, 8: .numbers, 9: .bytes, 10: .messages(.tensor), 11: .messages(.graph),
    13: .bytes, 14: .opaque, 15: .opaque, 20: .number, 21: .bytes, 22: .message(.sparseTensor),
    23: .messages(.sparseTensor),
  ])
  private static let tensorFields = table([
    1: .numbers, 2: .number, 3: .opaque, 4: .fixed32s, 5: .numbers, 6: .bytes, 7: .numbers,
    8: .bytes, 9: .bytes, 10: .fixed64s, 11: .numbers, 12: .bytes, 13: .messages(.entry),
    14: .number, 16: .messages(.entry),
  ])
  private static let sparseTensorFields = table([
    1: .message(.tensor), 2: .message(.tensor), 3: .numbers,
  ])
  private static let trainingFields = table([
    1: .message(.graph), 2: .message(.graph), 3: .messages(.entry), 4: .messages(.entry),
  ])
  private static let functionFields = table([
    1: .bytes, 4: .bytes, 5: .bytes, 6: .bytes, 7: .messages(.node), 8: .bytes,
    9: .messages(.opset), 10: .bytes, 11: .messages(.attribute), 12: .opaque, 13: .bytes,
    14: .messages(.entry),
  ])
  private static let opsetFields = table([1: .bytes, 2: .number])
  private static let entryFields = table([1: .bytes, 2: .bytes])

  private static func table(_ kinds: [Int: Kind]) -> [Kind?] {
    (0...(kinds.keys.max() ?? 0)).map { kinds[$0] }
  }
}

extension ONNXMessage.Kind {
  /// Whether a field of this kind may be written so.
  func allows(_ wire: ProtobufField.Wire) -> Bool {
    switch self {
    case .number: wire == .varint
    case .float: wire == .fixed32
    case .numbers: wire == .varint || wire == .bytes
    case .fixed32s: wire == .fixed32 || wire == .bytes
    case .fixed64s: wire == .fixed64 || wire == .bytes
    case .bytes, .message, .messages, .opaque: wire == .bytes
    }
  }
}
