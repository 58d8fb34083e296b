import Manifests

/// A type of numbers in safetensors files.
struct SafetensorsType: Equatable {
  /// How many bits a number takes.
  let bits: UInt64
  /// The first release of the library that reads it; nil for types that were always there.
  let since: String?

  private init(_ bits: UInt64, since: String? = nil) {
    self.bits = bits
    self.since = since
  }

  /// By the text of `dtype`.
  static let all: [String: SafetensorsType] = [
    "BOOL": SafetensorsType(8),
    "U8": SafetensorsType(8),
    "I8": SafetensorsType(8),
    "U16": SafetensorsType(16),
    "I16": SafetensorsType(16),
    "F16": SafetensorsType(16),
    "BF16": SafetensorsType(16),
    "U32": SafetensorsType(32),
    "I32": SafetensorsType(32),
    "F32": SafetensorsType(32),
    "U64": SafetensorsType(64),
    "I64": SafetensorsType(64),
    "F64": SafetensorsType(64),
    "F8_E5M2": SafetensorsType(8, since: "0.4.1"),
    "F8_E4M3": SafetensorsType(8, since: "0.4.1"),
    "F8_E8M0": SafetensorsType(8, since: "0.6.0"),
    "F4": SafetensorsType(4, since: "0.6.0"),
    "F6_E2M3": SafetensorsType(6, since: "0.6.0"),
    "F6_E3M2": SafetensorsType(6, since: "0.6.0"),
    "C64": SafetensorsType(64, since: "0.7.0"),
    "F8_E4M3FNUZ": SafetensorsType(8, since: "0.8.0"),
    "F8_E5M2FNUZ": SafetensorsType(8, since: "0.8.0"),
  ]

  /// Returns what the library must be for these types; nil if any release will do.
  ///
  /// What runs the model is another question, which the file does not answer.
  static func requirement(for types: Set<String>) -> RuntimeRequirement? {
    let needs = types.sorted().compactMap { name in all[name]?.since.map { (name, $0) } }
    // The releases so far compare as texts do.
    guard let minimum = needs.map(\.1).max() else { return nil }
    return RuntimeRequirement(
      known: RuntimeName(known: "safetensors"),
      scheme: .semver,
      minimum: minimum,
      because: needs.filter { $0.1 == minimum }.map { "type \($0.0) \(minimum)" }
    )
  }
}
