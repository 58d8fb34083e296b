import Manifests
import ModelFormats
import Testing

/// What a safetensors file is refused for, and what it says.
struct SafetensorsTests {
  static func entry(
    _ name: String = "a",
    _ type: String = "F32",
    _ shape: String = "[2]",
    _ offsets: String = "[0,8]"
  ) -> String {
    "\"\(name)\":{\"dtype\":\"\(type)\",\"shape\":\(shape),\"data_offsets\":\(offsets)}"
  }

  /// A header of these entries, padded so that the data is aligned.
  static func file(_ entries: String..., data: Int = 8) -> [UInt8] {
    let text = "{\(entries.joined(separator: ","))}"
    let padding = String(repeating: " ", count: (8 - text.utf8.count % 8) % 8)
    return Files.safetensors(text + padding, data: data)
  }

  static let faults: [(String, FaultCode, [UInt8])] = [
    ("4 bytes", .truncated, [1, 0, 0, 0]),
    ("only a length", .truncated, Files.number(16, bytes: 8)),
    ("one byte more", .trailingBytes, file(entry()) + [0]),
    ("4096 bytes more", .trailingBytes, file(entry(), data: 8 + 4_096)),
    ("a space before", .badEncoding, Files.safetensors(" {\(entry())}", data: 8)),
    ("one tensor twice", .duplicateKey, file(entry(), entry())),
    ("one tensor twice, once escaped", .duplicateKey, file(entry("a"), entry("\\u0061"))),
    (
      "a field twice", .duplicateKey,
      file(
        "\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}"
      )
    ),
    ("metadata twice", .duplicateKey, file("\"__metadata__\":{}", "\"__metadata__\":{}", entry())),
    (
      "a key of the metadata twice", .duplicateKey,
      file(
        "\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}",
        entry()
      )
    ),
    ("a hole", .badOffset, file(entry(), entry("b", "F32", "[2]", "[16,24]"), data: 24)),
    ("an overlap", .badOffset, file(entry(), entry("b", "F32", "[2]", "[4,12]"), data: 12)),
    ("a start behind 0", .badOffset, file(entry("a", "F32", "[2]", "[8,16]"), data: 16)),
    ("an end before its start", .badOffset, file(entry("a", "F32", "[2]", "[8,0]"))),
    ("another size than the shape has", .badShape, file(entry("a", "F32", "[3]"))),
    ("half a byte", .badShape, file(entry("a", "F4", "[3]", "[0,1]"), data: 1)),
    ("2^32 x 2^32", .overflow, file(entry("a", "F32", "[4294967296,4294967296]"))),
    ("2^61 numbers", .overflow, file(entry("a", "F64", "[2305843009213693952]"))),
    ("a type that doesn't exist", .badType, file(entry("a", "Q4_0"))),
    (
      "a type that is no text", .badType,
      file(
        "\"a\":{\"dtype\":1,\"shape\":[2],\"data_offsets\":[0,8]}"
      )
    ),
    ("no shape", .missingKey, file("\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,8]}")),
    ("a shape of 2.0", .badShape, file(entry("a", "F32", "[2.0]"))),
    ("a shape of -2", .badShape, file(entry("a", "F32", "[-2]"))),
    ("a shape of 2e0", .badShape, file(entry("a", "F32", "[2e0]"))),
    ("a shape that is a number", .badShape, file(entry("a", "F32", "2"))),
    ("three offsets", .badOffset, file(entry("a", "F32", "[2]", "[0,8,8]"))),
    ("a tensor that is an array", .badType, file("\"a\":[]")),
    ("metadata of numbers", .badType, file("\"__metadata__\":{\"k\":1}", entry())),
    (
      "metadata 200 levels deep", .badType,
      file(
        "\"__metadata__\":{\"k\":\(String(repeating: "[", count: 200))}"
      )
    ),
    (
      "a field 200 levels deep", .badEncoding,
      file(
        "\"a\":{\"x\":\(String(repeating: "[", count: 200))}"
      )
    ),
    (
      "a name that is not UTF-8", .badEncoding,
      Files.number(6, bytes: 8)
        + Array("{\"".utf8) + [0xC3, 0x28] + Array("\":".utf8)
    ),
    ("a lone surrogate", .badEncoding, file(entry("\\ud800"))),
    ("text behind the header", .badEncoding, Files.safetensors("{\(entry())}x", data: 8)),
    ("no end of the object", .truncated, Files.safetensors("{\(entry())", data: 8)),
    ("{} and data", .trailingBytes, file(data: 8)),
  ]

  @Test(arguments: faults.indices)
  func `what the format forbids is refused by its name`(index: Int) throws {
    let (name, code, bytes) = Self.faults[index]
    let problem = try inspect("m.safetensors", bytes).problem
    #expect(problem?.fault.code == code.rawValue, "\(name): \(problem?.text ?? "accepted")")
  }

  @Test(
    arguments: [
      ("a whole file", nil, file(entry())), ("a scalar", nil, file(entry("a", "F64", "[]"))),
      ("a tensor of nothing", nil, file(entry(), entry("b", "F32", "[0]", "[8,8]"))),
      (
        "tensors in another order", nil,
        file(
          entry("b", "F32", "[2]", "[8,16]"),
          entry("a", "F32", "[2]", "[0,8]"),
          data: 16
        )
      ),
      (
        "fields in another order", nil,
        file(
          "\"a\":{\"data_offsets\":[0,8],\"shape\":[2],\"dtype\":\"F32\"}"
        )
      ),
      ("metadata", nil, file("\"__metadata__\":{\"format\":\"pt\"}", entry())),
      ("no tensor", .missingKey, file(data: 0)),
      (
        "an unknown field", .unknownField,
        file(
          "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],\"x\":{\"y\":[1.5]}}"
        )
      ),
      ("data that is not aligned", .badOffset, Files.safetensors("{\(entry())} ", data: 8)),
      ("newlines as padding", .badEncoding, newlines),
    ] as [(String, FaultCode?, [UInt8])]
  )
  func `what the format allows is accepted, and what is seldom meant warned about`(
    name: String,
    code: FaultCode?,
    bytes: [UInt8]
  ) throws {
    let inspection = try inspect("m.safetensors", bytes)
    #expect(inspection.problem == nil, "\(name): \(inspection.problem?.text ?? "")")
    #expect(inspection.report.warnings.map(\.code) == (code.map { [$0] } ?? []), "\(name)")
  }

  static let newlines = {
    let text = "{\(entry())}"
    let padding = String(repeating: "\n", count: (8 - text.utf8.count % 8) % 8 + 8)
    return Files.safetensors(text + padding, data: 8)
  }()

  @Test(arguments: [1 << 63, 100_000_001, 1, 0] as [UInt64])
  func `a length that no header has is refused`(length: UInt64) throws {
    #expect(try inspect("m.safetensors", Files.number(length, bytes: 8) + [0x7B]).problem != nil)
  }

  @Test func `every cut is named as one`() throws {
    let whole = Self.file("\"__metadata__\":{\"format\":\"pt\"}", Self.entry())
    for count in 1..<whole.count {
      let fault = try inspect("m.safetensors", Array(whole.prefix(count))).problem?.fault
      #expect(fault?.code == "truncated", "cut at \(count): \(fault?.code ?? "accepted")")
    }
  }

  @Test func `facts come from the header`() throws {
    let bytes = Self.file(
      "\"__metadata__\":{\"format\":\"pt\",\"license\":\"mit\"}",
      Self.entry("a", "F32", "[2]", "[0,8]"),
      Self.entry("b", "BF16", "[2,2]", "[8,16]"),
      data: 16
    )
    let inspection = try inspect("m.safetensors", bytes)
    #expect(inspection.format.types == ["BF16", "F32"])
    #expect(
      inspection.format.more == [
        "headerLength": .integer(bytes.count - 24), "tensorCount": .integer(2),
        "parameterCount": .integer(6), "dataBytes": .integer(16), "framework": .text("pt"),
        "license": .text("mit"),
      ]
    )
    #expect(inspection.report.licenses == ["mit"])
    #expect(inspection.report.edges.offsets == [bytes.count - 16])
    #expect(inspection.report.runtimes.isEmpty)
  }

  @Test(.timeLimit(.minutes(2)))
  func `names beside the tensors are bounded as tensors are`() throws {
    func metadata(_ count: Int) -> [UInt8] {
      let names = (0..<count).map { "\"\($0)\":\"\"" }.joined(separator: ",")
      return Self.file("\"__metadata__\":{\(names)}", Self.entry())
    }
    #expect(try inspect("m.safetensors", metadata(1_000_001)).problemCode == "countTooLarge")
    #expect(try inspect("m.safetensors", metadata(100_000)).problemCode == nil)
  }
}
