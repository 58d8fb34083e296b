extension SampleModel {
  /// A TFLite model of schema version 3: one RELU from a float tensor to another, both `[1, elements]`.
  ///
  /// A metadata entry names the oldest runtime, as converters write it.
  package static func tflite(elements: Int = 4, minimumRuntime: String = "1.5.0") -> [UInt8] {
    let subgraph = FlatValue.table([
      4: .vector([tensor("x", elements), tensor("y", elements)]),
      6: .numbers([0]), 8: .numbers([1]),
      10: .vector([.table([6: .numbers([0]), 8: .numbers([1])])]),
      12: .text("main"),
    ])
    let relu: Int32 = 19
    let name = Array(minimumRuntime.utf8)
    let runtime = name + [UInt8](repeating: 0, count: max(0, 16 - name.count))
    return FlatWriter.file(
      identifier: "TFL3",
      .table([
        4: .word(3),
        6: .vector([.table([4: .byte(Int8(relu)), 8: .word(1), 10: .word(relu)])]),
        8: .vector([subgraph]),
        10: .text("sealift-tests"),
        12: .vector([.table([:]), .table([4: .bytes(runtime)])]),
        16: .vector([.table([4: .text("min_runtime_version"), 6: .word(1)])]),
      ])
    )
  }

  private static func tensor(_ name: String, _ elements: Int) -> FlatValue {
    .table([4: .numbers([1, Int32(elements)]), 8: .word(0), 10: .text(name)])
  }
}
