/// Which model formats the fields at the top of a protobuf message look like.
struct ProtobufLooks: Equatable {
  let onnx: Bool
  let coreML: Bool

  /// Under a promising name (`isPromised`) less is demanded: the parser of the format says what is missing.
  init(_ message: ProtobufFields, isPromised: Bool) {
    onnx = Self.isONNX(message, isPromised)
    coreML = Self.isCoreML(message, isPromised)
  }

  private static let onnxNumbers: Set<UInt64> = [1, 2, 3, 4, 5, 6, 7, 8, 14, 20, 25, 26]
  private static let coreMLNumbers: Set<UInt64> = [1, 2, 10]

  private static func isONNX(_ message: ProtobufFields, _ isPromised: Bool) -> Bool {
    let known = message.fields.filter { onnxNumbers.contains($0.number) }
    let hasVersion = message.value(1).map { (0...1_000).contains($0) } ?? false
    guard !isPromised else {
      return !known.isEmpty && message.fields.allSatisfy { $0.number < 200 }
        && (hasVersion || !message.contents(7).isEmpty)
    }
    return hasVersion && known.count == message.fields.count && !message.contents(7).isEmpty
      && !message.contents(8).isEmpty
  }

  private static func isCoreML(_ message: ProtobufFields, _ isPromised: Bool) -> Bool {
    let isKnown = message.fields.allSatisfy {
      coreMLNumbers.contains($0.number) || $0.number >= 200
    }
    let hasVersion = message.value(1).map { (0...1_000).contains($0) } ?? false
    guard isKnown, hasVersion else { return false }
    guard !isPromised else { return message.fields.count > 1 || message.end != .malformed }
    return !message.contents(2).isEmpty
      && message.fields.contains { $0.number >= 200 && $0.content != nil }
  }
}
