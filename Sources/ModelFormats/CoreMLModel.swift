/// The facts at the top of a Core ML model specification.
struct CoreMLModel: Equatable {
  let specificationVersion: Int

  /// Takes the version if the fields are those of a specification; a cut file still looks like one.
  init?(_ message: ProtobufFields) {
    guard message.end != .malformed, let version = message.value(1), (1...1_000).contains(version),
      !message.contents(2).isEmpty
    else { return nil }
    let known: Set<UInt64> = [1, 2, 10]
    guard message.fields.allSatisfy({ known.contains($0.number) || $0.number >= 200 }) else {
      return nil
    }
    if message.end == .whole {
      guard message.fields.contains(where: { $0.number >= 200 && $0.content != nil }) else {
        return nil
      }
    }
    specificationVersion = Int(version)
  }
}
