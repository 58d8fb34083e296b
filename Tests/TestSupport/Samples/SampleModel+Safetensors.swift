extension SampleModel {
  /// A safetensors file with one F32 tensor `a` of `elements` numbers.
  package static func safetensors(elements: Int = 8, seed: UInt64 = 1) -> [UInt8] {
    let tensor =
      "{\"dtype\":\"F32\",\"shape\":[\(elements)],\"data_offsets\":[0,\(elements * 4)]}"
    var header = Array("{\"__metadata__\":{\"format\":\"pt\"},\"a\":\(tensor)}".utf8)
    // Spaces, so that the numbers begin at a multiple of eight.
    while header.count % 8 != 0 { header.append(UInt8(ascii: " ")) }
    return littleEndian(UInt64(header.count)) + header + weights(elements, seed: seed)
  }
}
