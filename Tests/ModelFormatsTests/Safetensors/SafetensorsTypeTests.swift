import Manifests
import ModelFormats
import Testing

/// The types of numbers that a safetensors file may have.
struct SafetensorsTypeTests {
  typealias Row = (type: String, bits: Int, minimum: String?)

  static let rows: [Row] = [
    ("BOOL", 8, nil), ("U8", 8, nil), ("I8", 8, nil), ("F8_E5M2", 8, "0.4.1"),
    ("F8_E4M3", 8, "0.4.1"), ("F8_E8M0", 8, "0.6.0"), ("F8_E4M3FNUZ", 8, "0.8.0"),
    ("F8_E5M2FNUZ", 8, "0.8.0"), ("I16", 16, nil), ("U16", 16, nil), ("F16", 16, nil),
    ("BF16", 16, nil), ("I32", 32, nil), ("U32", 32, nil), ("F32", 32, nil), ("I64", 64, nil),
    ("U64", 64, nil), ("F64", 64, nil), ("C64", 64, "0.7.0"), ("F4", 4, "0.6.0"),
    ("F6_E2M3", 6, "0.6.0"), ("F6_E3M2", 6, "0.6.0"),
  ]

  @Test func `there are twenty-two types`() { #expect(Self.rows.count == 22) }

  @Test(arguments: rows)
  func `a type tells how many bits a number takes, and which library reads it`(row: Row) throws {
    // Eight numbers take as many bytes as one has bits.
    func file(_ size: Int) -> [UInt8] {
      SafetensorsTests.file(
        SafetensorsTests.entry("a", row.type, "[2,4]", "[0,\(size)]"),
        data: size
      )
    }
    let found = try inspect("m.safetensors", file(row.bits))
    #expect(found.problem == nil)
    #expect(found.format.types == [row.type])
    #expect(found.format.more["dataBytes"] == .integer(row.bits))
    #expect(found.minimums == (row.minimum.map { ["safetensors \($0)"] } ?? []))
    let reasons = row.minimum.map { ["type \(row.type) \($0)"] }
    #expect(found.report.runtimes.first?.because == reasons)
    #expect(try inspect("m.safetensors", file(row.bits + 1)).problemCode == "badShape")
    #expect(try inspect("m.safetensors", file(row.bits - 1)).problemCode == "badShape")
  }

  @Test(arguments: rows.filter { $0.bits < 8 })
  func `numbers that fill no whole byte are refused`(row: Row) throws {
    let bytes = SafetensorsTests.file(
      SafetensorsTests.entry("a", row.type, "[1]", "[0,1]"),
      data: 1
    )
    #expect(try inspect("m.safetensors", bytes).problemCode == "badShape")
  }

  @Test func `of several late types the latest counts`() throws {
    let bytes = SafetensorsTests.file(
      SafetensorsTests.entry("a", "F8_E5M2", "[8]", "[0,8]"),
      SafetensorsTests.entry("b", "C64", "[1]", "[8,16]"),
      SafetensorsTests.entry("c", "F4", "[16]", "[16,24]"),
      data: 24
    )
    let found = try inspect("m.safetensors", bytes)
    #expect(found.minimums == ["safetensors 0.7.0"])
    #expect(found.report.runtimes.first?.because == ["type C64 0.7.0"])
  }

  @Test(arguments: ["Q4_0", "F8", "f32", "F128", ""])
  func `a type that the library refuses is refused`(type: String) throws {
    let bytes = SafetensorsTests.file(SafetensorsTests.entry("a", type, "[8]", "[0,8]"))
    #expect(try inspect("m.safetensors", bytes).problemCode == "badType")
  }

  @Test(
    arguments: [
      (0, "empty"), (1, "truncated"), (4, "truncated"), (7, "truncated"), (8, "truncated"),
    ]
  )
  func `a file without a whole header is named so`(size: Int, code: String) throws {
    let bytes = Array(SafetensorsTests.file(SafetensorsTests.entry()).prefix(size))
    #expect(try inspect("m.safetensors", bytes).problemCode == code)
  }

  @Test func `a model of MLX tells no version, so that one must be stated`() throws {
    func unknown(_ framework: String) throws -> [String] {
      let metadata = "\"__metadata__\":{\"format\":\"\(framework)\"}"
      let file = SafetensorsTests.file(metadata, SafetensorsTests.entry())
      return try inspect("m.safetensors", file).report.unknownToRuntimes
    }
    #expect(try unknown("mlx") == ["an MLX model, whose files tell no version"])
    #expect(try unknown("pt") == [])
  }
}
