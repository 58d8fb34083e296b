/// Which releases of onnxruntime load which ONNX versions.
///
/// The rows down to 1.15 were measured: each release says its greatest versions itself. The older ones are what its
/// documentation states. Where the two differ, the measured one stands.
enum ONNXRuntimeReleases {
  struct Row: Equatable {
    /// The first release of the row.
    let release: String
    let irVersion: Int
    let opset: Int
    /// The greatest version of `ai.onnx.ml`; nil where it isn't recorded, so that no file with such operators is covered.
    let ml: Int?
    let isMeasured: Bool
  }

  /// The rows from the oldest release on.
  static let rows: [Row] = [
    Row(release: "1.0", irVersion: 6, opset: 11, ml: nil, isMeasured: false),
    Row(release: "1.3", irVersion: 7, opset: 12, ml: nil, isMeasured: false),
    Row(release: "1.6", irVersion: 7, opset: 13, ml: nil, isMeasured: false),
    Row(release: "1.8", irVersion: 7, opset: 14, ml: nil, isMeasured: false),
    Row(release: "1.9", irVersion: 8, opset: 15, ml: nil, isMeasured: false),
    Row(release: "1.11", irVersion: 8, opset: 16, ml: 2, isMeasured: false),
    Row(release: "1.12", irVersion: 8, opset: 17, ml: 3, isMeasured: false),
    Row(release: "1.14", irVersion: 8, opset: 18, ml: 3, isMeasured: false),
    Row(release: "1.15", irVersion: 9, opset: 18, ml: 3, isMeasured: true),
    Row(release: "1.16", irVersion: 9, opset: 19, ml: 3, isMeasured: true),
    Row(release: "1.17", irVersion: 9, opset: 20, ml: 4, isMeasured: true),
    Row(release: "1.18", irVersion: 10, opset: 21, ml: 5, isMeasured: true),
    Row(release: "1.21", irVersion: 10, opset: 22, ml: 5, isMeasured: true),
    Row(release: "1.23", irVersion: 11, opset: 23, ml: 5, isMeasured: true),
    Row(release: "1.24", irVersion: 13, opset: 25, ml: 5, isMeasured: true),
    Row(release: "1.25", irVersion: 13, opset: 26, ml: 5, isMeasured: true),
    Row(release: "1.32", irVersion: 14, opset: 28, ml: 5, isMeasured: true),
  ]

  static let newestIR = 14
  static let newestOpset = 28
  static let newestML = 5

  /// Returns the oldest row that covers all three; nil if none does.
  static func first(irVersion: Int, opset: Int, ml: Int?) -> Row? {
    rows.first { row in
      guard row.irVersion >= irVersion, row.opset >= opset else { return false }
      guard let ml else { return true }
      return row.ml.map { $0 >= ml } ?? false
    }
  }
}
