/// The types of tensor elements in ONNX.
enum ONNXDataType {
  struct Row: Equatable {
    let name: String
    /// The bits of an element; nil for strings, and where the size is not settled.
    let bits: UInt64?
  }

  static let string: UInt64 = 8

  /// The row of a type; nil for numbers that ONNX 1.22 doesn't have.
  static func row(_ number: UInt64) -> Row? {
    guard number > 0, number < UInt64(rows.count) else { return nil }
    return rows[Int(number)]
  }

  private static let rows: [Row] = [
    Row(name: "UNDEFINED", bits: nil), Row(name: "FLOAT", bits: 32), Row(name: "UINT8", bits: 8),
    Row(name: "INT8", bits: 8), Row(name: "UINT16", bits: 16), Row(name: "INT16", bits: 16),
    Row(name: "INT32", bits: 32), Row(name: "INT64", bits: 64), Row(name: "STRING", bits: nil),
    Row(name: "BOOL", bits: 8), Row(name: "FLOAT16", bits: 16), Row(name: "DOUBLE", bits: 64),
    Row(name: "UINT32", bits: 32), Row(name: "UINT64", bits: 64), Row(name: "COMPLEX64", bits: 64),
    Row(name: "COMPLEX128", bits: 128), Row(name: "BFLOAT16", bits: 16),
    Row(name: "FLOAT8E4M3FN", bits: 8), Row(name: "FLOAT8E4M3FNUZ", bits: 8),
    Row(name: "FLOAT8E5M2", bits: 8), Row(name: "FLOAT8E5M2FNUZ", bits: 8),
    Row(name: "UINT4", bits: 4), Row(name: "INT4", bits: 4), Row(name: "FLOAT4E2M1", bits: 4),
    Row(name: "FLOAT8E8M0", bits: 8), Row(name: "UINT2", bits: 2), Row(name: "INT2", bits: 2),
    Row(name: "FLOAT6E2M3", bits: nil), Row(name: "FLOAT6E3M2", bits: nil),
  ]

  /// The bytes of so many elements, bits filled up to whole bytes; nil if they can't be counted.
  static func size(_ elements: UInt64, bits: UInt64) -> UInt64? {
    let (total, overflowed) = elements.multipliedReportingOverflow(by: bits)
    guard !overflowed else { return nil }
    return total / 8 + (total % 8 == 0 ? 0 : 1)
  }
}
