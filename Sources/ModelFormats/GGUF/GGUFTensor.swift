/// One row of the table of tensors in a GGUF file.
struct GGUFTensor: Equatable {
  static let maximumNameLength: UInt64 = 63
  private static let maximumDimensions: UInt32 = 4

  /// Where the row begins.
  let place: Int
  let name: [UInt8]
  /// The first varies fastest; four of them, absent ones are 1.
  let dimensions: [UInt64]
  let type: Int32
  /// Where the data begins, counted from the start of all data.
  let dataOffset: UInt64
  /// Where `dataOffset` stands.
  let offsetPlace: Int

  /// How many numbers the tensor has.
  var elementCount: UInt64 { dimensions.reduce(1) { $0 &* $1 } }

  var subject: String { "tensor \"\(String(decoding: name, as: UTF8.self))\"" }
}

extension GGUFTensor {
  /// Reads one row and checks all that can be said without the others.
  init(
    _ reader: inout FormatReader,
    isWide: Bool
  ) throws(FormatStop) {
    place = reader.offset
    name = try GGUFMetadata.bytes(
      &reader,
      isWide,
      limit: Self.maximumNameLength,
      "the name of a tensor"
    )
    guard !name.contains(0), isUTF8(name) else {
      throw .structure(
        .badEncoding,
        at: place,
        "the name of a tensor",
        expected: "UTF-8 without NUL",
        found: String(decoding: name, as: UTF8.self)
      )
    }
    let subject = "tensor \"\(String(decoding: name, as: UTF8.self))\""
    dimensions = try Self.dimensions(&reader, isWide, subject)
    type = try reader.i32()
    offsetPlace = reader.offset
    dataOffset = try reader.u64()
  }

  private static func dimensions(
    _ reader: inout FormatReader,
    _ isWide: Bool,
    _ subject: String
  ) throws(FormatStop) -> [UInt64] {
    let place = reader.offset
    let count = try reader.u32()
    guard count <= maximumDimensions else {
      throw .structure(
        .badShape,
        at: place,
        subject,
        expected: "at most 4 dimensions",
        found: String(count)
      )
    }
    var dimensions: [UInt64] = [1, 1, 1, 1]
    var product: UInt64 = 1
    for index in 0..<Int(count) {
      let place = reader.offset
      let dimension = isWide ? try reader.u64() : UInt64(try reader.u32())
      guard dimension <= UInt64(Int64.max) else {
        throw .structure(
          .badShape,
          at: place,
          subject,
          expected: "a dimension of at least 0",
          found: String(Int64(bitPattern: dimension))
        )
      }
      dimensions[index] = dimension
      // A zero among the dimensions must not hide that the others overflow.
      let (next, overflowed) = product.multipliedReportingOverflow(by: max(dimension, 1))
      guard !overflowed, next <= UInt64(Int64.max) else {
        throw .structure(
          .overflow,
          at: place,
          subject,
          expected: "fewer than 2^63 elements",
          found: "\(product) times \(dimension)"
        )
      }
      product = next
    }
    return dimensions
  }
}
