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

  /// Every message that can hold a tensor, and the fields that lead to it.
  private static let places: [ChangedFixture<ONNXFixture, String>] = {
    let tensor = ONNXFixture.tensor(dimensions: dimensions, external: [("location", "hidden.bin")])
    let graph = Files.field(5, tensor)
    func attribute(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
      Files.field(1, Array("a".utf8)) + Files.field(field, content)
    }
    func node(_ attribute: [UInt8]) -> [UInt8] { ONNXFixture.node(attributes: [attribute]) }
    func inNode(_ name: String, _ field: UInt64, _ content: [UInt8]) -> ChangedFixture<
      ONNXFixture, String
    > {
      let bytes = node(attribute(field, content))
      return ChangedFixture("attribute \(name)", "hidden.bin") { $0.nodes = [bytes] }
    }
    func more(_ name: String, _ bytes: [UInt8]) -> ChangedFixture<ONNXFixture, String> {
      ChangedFixture(name, "hidden.bin") { $0.more = bytes }
    }
    func inGraph(_ name: String, _ bytes: [UInt8]) -> ChangedFixture<ONNXFixture, String> {
      ChangedFixture("graph \(name)", "hidden.bin") { $0.moreOfGraph = bytes }
    }
    return [
      inNode("5 t", 5, tensor), inNode("10 tensors", 10, tensor), inNode("6 g", 6, graph),
      inNode("11 graphs", 11, graph),
      inNode("22 sparse_tensor, values", 22, Files.field(1, tensor)),
      inNode("22 sparse_tensor, indices", 22, Files.field(2, tensor)),
      inNode("23 sparse_tensors, values", 23, Files.field(1, tensor)),
      inNode("23 sparse_tensors, indices", 23, Files.field(2, tensor)),
      inNode("6 g in 6 g", 6, Files.field(1, node(attribute(6, graph)))),
      inGraph("5 initializer", Files.field(5, tensor)),
      inGraph("15 sparse_initializer, values", Files.field(15, Files.field(1, tensor))),
      inGraph("15 sparse_initializer, indices", Files.field(15, Files.field(2, tensor))),
      more("20 training_info, initialization", Files.field(20, Files.field(1, graph))),
      more("20 training_info, algorithm", Files.field(20, Files.field(2, graph))),
      more("25 functions, node", Files.field(25, Files.field(7, node(attribute(5, tensor))))),
      more("25 functions, attribute_proto", Files.field(25, Files.field(11, attribute(5, tensor)))),
    ]
  }()

  @Test(arguments: places)
  func `data is found wherever a tensor stands`(changed: ChangedFixture<ONNXFixture, String>) throws
  {
    var fixture = ONNXFixture()
    changed.change(&fixture)
    let found = try inspect("m.onnx", fixture.bytes)
    #expect(found.problemCode == nil)
    #expect(found.format.more["externalFiles"] == .list([changed.outcome]))
    #expect(found.report.links == [.external(location: changed.outcome, end: 16_384)])
    let release = try ReleaseFixture(["m.onnx": fixture.bytes])
    #expect(release.problems == ["m.onnx externalFileMissing"])
  }

  @Test(
    arguments: [
      ("one by one", Files.field(1, 64) + Files.field(1, 64), 16_384),
      ("packed", Files.field(1, Files.varint(64) + Files.varint(64)), 16_384),
      ("packed in two fields", Files.field(1, [64]) + Files.field(1, [64]), 16_384),
      ("both ways", Files.field(1, 64) + Files.field(1, [64]), 16_384),
      ("packed, of two bytes each", Files.field(1, Files.varint(300) + Files.varint(3)), 3_600),
      ("a packed list of none", Files.field(1, [UInt8]()), 4),
    ] as [(String, [UInt8], UInt64)]
  )
  func `dimensions count in both ways in which they may be written`(
    name: String,
    dimensions: [UInt8],
    size: UInt64
  ) throws {
    let tensor =
      dimensions + ONNXFixture.tensor(dimensions: [], external: [("location", "w.bin")])
    let found = try inspect("m.onnx", ONNXFixture.with { $0.initializers = [tensor] }.bytes)
    #expect(found.report.links == [.external(location: "w.bin", end: size)], "\(name)")
  }

  @Test(
    arguments: [
      ("half a number", [0x80]),
      ("a number of eleven bytes", [UInt8](repeating: 0x80, count: 10) + [1]),
    ]
      as [(String, [UInt8])]
  )
  func `packed dimensions that end within a number are refused`(name: String, packed: [UInt8])
    throws
  {
    let tensor = Files.field(1, packed) + ONNXFixture.tensor(dimensions: [])
    let found = try inspect("m.onnx", ONNXFixture.with { $0.initializers = [tensor] }.bytes)
    #expect(found.problemCode != nil, "\(name)")
  }

  @Test func `texts can't lie in another file`() throws {
    var fixture = ONNXFixture()
    fixture.initializers = [ONNXFixture.tensor(type: 8, external: [("location", "w.bin")])]
    #expect(try inspect("m.onnx", fixture.bytes).problemCode == "badType")
  }
}
