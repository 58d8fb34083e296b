extension SampleModel {
  /// An ONNX model: one Identity node from a float input to a float output, both `[1, elements]`.
  ///
  /// With `external`, as many floats lie in the file of that name beside the model.
  package static func onnx(
    irVersion: Int = 8,
    opset: Int = 17,
    elements: Int = 4,
    external: String? = nil
  ) -> [UInt8] {
    let node = field(1, "x") + field(2, "y") + field(3, "copy") + field(4, "Identity")
    let graph =
      field(1, node) + field(2, "sample")
      + (external.map { field(5, weights(elements, at: $0)) } ?? [])
      + field(11, value("x", elements)) + field(12, value("y", elements))
    return field(1, irVersion) + field(2, "sealift-tests") + field(7, graph)
      + field(8, field(1, "") + field(2, opset))
  }

  /// A TensorProto of floats that lie in another file.
  private static func weights(_ count: Int, at location: String) -> [UInt8] {
    field(1, count) + field(2, 1) + field(8, "w")
      + field(13, field(1, "location") + field(2, location)) + field(14, 1)
  }

  /// A ValueInfoProto of a float tensor.
  private static func value(_ name: String, _ elements: Int) -> [UInt8] {
    let shape = field(1, field(1, 1)) + field(1, field(1, elements))
    let tensor = field(1, 1) + field(2, shape)
    return field(1, name) + field(2, field(1, tensor))
  }

  private static func field(_ number: Int, _ text: String) -> [UInt8] {
    field(number, Array(text.utf8))
  }

  private static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(bytes.count) + bytes
  }

  private static func field(_ number: Int, _ value: Int) -> [UInt8] {
    varint(number << 3) + varint(value)
  }

  private static func varint(_ value: Int) -> [UInt8] {
    var (rest, bytes) = (UInt64(value), [UInt8]())
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
