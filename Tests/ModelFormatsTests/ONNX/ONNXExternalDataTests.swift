import Manifests
import ModelFormats
import Testing

struct ONNXExternalDataTests {
  private static let dimensions: [UInt64] = [64, 64]

  private func model(_ external: [(String, String)]) -> [UInt8] {
    var fixture = ONNXFixture()
    fixture.initializers = [ONNXFixture.tensor(dimensions: Self.dimensions, external: external)]
    return fixture.bytes
  }

  @Test(
    arguments: [
      ("w.bin", "0", "16384", nil), ("sub/w.bin", "0", "16384", nil), ("./w.bin", nil, nil, nil),
      ("w.bin", nil, nil, nil), ("w.bin", "4096", nil, "outOfBounds"),
      ("missing.bin", nil, nil, "externalFileMissing"), ("w.bin", "16380", "16384", "outOfBounds"),
      ("short.bin", nil, nil, "outOfBounds"),
    ] as [(String, String?, String?, String?)]
  )
  func `the data must be in the release, and long enough`(
    location: String,
    offset: String?,
    length: String?,
    code: String?
  ) throws {
    let keys =
      [("location", location)] + (offset.map { [("offset", $0)] } ?? [])
      + (length.map { [("length", $0)] } ?? [])
    let release = try ReleaseFixture([
      "a/m.onnx": model(keys), "a/w.bin": ReleaseFixture.data(16_384),
      "a/sub/w.bin": ReleaseFixture.data(16_384), "a/short.bin": ReleaseFixture.data(8_000),
    ])
    #expect(release.fileProblems == [])
    #expect(release.problems == (code.map { ["a/m.onnx \($0)"] } ?? []))
  }

  @Test(
    arguments: [
      ([("location", "../outside.bin")], "externalPathUnsafe"),
      ([("location", "/etc/passwd")], "externalPathUnsafe"),
      ([("location", "a/../../w.bin")], "externalPathUnsafe"),
      ([("location", "a\\..\\w.bin")], "externalPathUnsafe"),
      ([("location", "C:\\w.bin")], "externalPathUnsafe"),
      ([("location", "w.bin\0../x")], "externalPathUnsafe"),
      ([("location", "a//w.bin")], "externalPathUnsafe"),
      ([("location", "")], "externalPathUnsafe"),
      ([("location", "w\n.bin")], "externalPathUnsafe"), ([("offset", "0")], "externalPathUnsafe"),
      ([("location", "*/_ORT_MEM_ADDR_/*")], "externalPathUnsafe"),
      ([("location", "w.bin"), ("length", "99999999")], "outOfBounds"),
      ([("location", "w.bin"), ("offset", "-4")], "outOfBounds"),
      ([("location", "w.bin"), ("offset", "0x10")], "outOfBounds"),
      ([("location", "w.bin"), ("offset", "")], "outOfBounds"),
      ([("location", "w.bin"), ("offset", "99999999999999999999")], "outOfBounds"),
      ([("location", "w.bin"), ("offset", "18446744073709551615")], "overflow"),
      ([("location", "w.bin"), ("location", "v.bin")], "duplicateKey"),
    ] as [([(String, String)], String)]
  )
  func `an unsafe place of data is refused in the model itself`(
    keys: [(String, String)],
    code: String
  ) throws {
    #expect(try inspect("m.onnx", model(keys)).problemCode == code)
  }

  @Test(arguments: [5, 10, 22, 11, 6])
  func `data is found wherever a tensor stands`(place: UInt64) throws {
    let tensor = ONNXFixture.tensor(
      dimensions: Self.dimensions,
      external: [("location", "hidden.bin")]
    )
    let sparse = Files.field(1, tensor)
    let graph = Files.field(5, tensor)
    let content = [5: tensor, 10: tensor, 22: sparse, 11: graph, 6: graph][place] ?? []
    var fixture = ONNXFixture()
    fixture.nodes = [
      ONNXFixture.node(attributes: [Files.field(1, Array("a".utf8)) + Files.field(place, content)])
    ]
    let found = try inspect("m.onnx", fixture.bytes)
    #expect(found.problemCode == nil)
    #expect(found.format.more["externalFiles"] == .list(["hidden.bin"]))
    fixture = ONNXFixture()
    fixture.more = Files.field(20, Files.field(1, graph))
    #expect(
      try inspect("m.onnx", fixture.bytes).format.more["externalFiles"] == .list(["hidden.bin"])
    )
    fixture.more = Files.field(
      25,
      Files.field(7, ONNXFixture.node(attributes: [Files.field(5, tensor)]))
    )
    #expect(
      try inspect("m.onnx", fixture.bytes).format.more["externalFiles"] == .list(["hidden.bin"])
    )
  }

  @Test func `texts can't lie in another file`() throws {
    var fixture = ONNXFixture()
    fixture.initializers = [ONNXFixture.tensor(type: 8, external: [("location", "w.bin")])]
    #expect(try inspect("m.onnx", fixture.bytes).problemCode == "badType")
  }
}
