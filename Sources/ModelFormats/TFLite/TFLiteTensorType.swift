/// The types of tensor elements in TensorFlow Lite.
enum TFLiteTensorType {
  struct Row: Equatable {
    let name: String
    /// The bits of an element; nil where elements have no fixed size.
    let bits: UInt64?
  }

  static func row(_ number: UInt8) -> Row? { number < rows.count ? rows[Int(number)] : nil }

  private static let rows: [Row] = [
    Row(name: "FLOAT32", bits: 32), Row(name: "FLOAT16", bits: 16), Row(name: "INT32", bits: 32),
    Row(name: "UINT8", bits: 8), Row(name: "INT64", bits: 64), Row(name: "STRING", bits: nil),
    Row(name: "BOOL", bits: 8), Row(name: "INT16", bits: 16), Row(name: "COMPLEX64", bits: 64),
    Row(name: "INT8", bits: 8), Row(name: "FLOAT64", bits: 64), Row(name: "COMPLEX128", bits: 128),
    Row(name: "UINT64", bits: 64), Row(name: "RESOURCE", bits: nil),
    Row(name: "VARIANT", bits: nil),
    Row(name: "UINT32", bits: 32), Row(name: "UINT16", bits: 16), Row(name: "INT4", bits: 4),
    Row(name: "BFLOAT16", bits: 16),
  ]
}
