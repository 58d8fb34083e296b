import Manifests
import ModelFormats
import Testing

/// What a GGUF file must be refused for, and what only warned about.
struct HostileGGUFTests {
  typealias Change = @Sendable (inout GGUFSample) -> Void

  static func key(_ type: UInt64, _ value: [UInt8]) -> Change { { $0.add("k", type, value) } }

  static func array(_ type: UInt64, count: UInt64) -> Change {
    key(9, Files.number(type, bytes: 4) + Files.number(count, bytes: 8))
  }

  static let faults: [(String, FaultCode, Change)] = [
    ("2^62 tensors", .countTooLarge, { $0.tensorCount = 1 << 62 }),
    ("2^40 tensors", .countTooLarge, { $0.tensorCount = 1 << 40 }),
    ("-1 tensors", .countTooLarge, { $0.tensorCount = .max }),
    ("2^62 keys", .countTooLarge, { $0.keyCount = 1 << 62 }),
    ("more keys than fit", .truncated, { $0.keyCount = 1_000 }),
    (
      "everything 0xFF", .countTooLarge,
      {
        $0.tensorCount = .max; $0.keyCount = .max
      }
    ),
    ("value of 2^40 bytes", .tooLong, key(8, Files.number(1 << 40, bytes: 8))),
    ("value of 2^63 bytes", .tooLong, key(8, Files.number(1 << 63, bytes: 8))),
    ("array of 2^61 numbers", .countTooLarge, array(10, count: 1 << 61)),
    ("array of 2^40 texts", .countTooLarge, array(8, count: 1 << 40)),
    ("array of arrays", .badType, array(9, count: 0)),
    ("array of type 13", .badType, array(13, count: 0)),
    ("value type 13", .badType, key(13, [])),
    ("value type -1", .badType, key(0xFFFF_FFFF, [])),
    ("empty key", .badEncoding, { $0.add("", 0, [1]) }),
    ("a key whose length is 2^63", .tooLong, { $0.keys[0].nameLength = 1 << 63 }),
    ("a key whose length is 2^64 - 1", .tooLong, { $0.keys[0].nameLength = .max }),
    ("a key of 65,536 bytes", .tooLong, longKey(65_536)),
    ("key with NUL", .badEncoding, { $0.add("a\0b", 0, [1]) }),
    ("key twice", .duplicateKey, { $0.add("general.architecture", text: "llama") }),
    ("alignment 0", .badOffset, { $0.add("general.alignment", u32: 0) }),
    ("alignment 3", .badOffset, { $0.add("general.alignment", u32: 3) }),
    ("alignment 2^31", .badOffset, { $0.add("general.alignment", u32: 1 << 31) }),
    ("alignment 2^21", .badOffset, { $0.add("general.alignment", u32: 1 << 21) }),
    ("alignment as i32", .badType, { $0.add("general.alignment", 5, [32, 0, 0, 0]) }),
    (
      "alignment as u64", .badType,
      { $0.add("general.alignment", 10, Files.number(32, bytes: 8)) }
    ),
    ("alignment as text", .badType, { $0.add("general.alignment", text: "32") }),
    ("name of 64 bytes", .tooLong, { $0.tensors[0].name = [UInt8](repeating: 97, count: 64) }),
    ("name with NUL", .badEncoding, { $0.tensors[0].name = [97, 0, 98] }),
    ("name that is not UTF-8", .badEncoding, { $0.tensors[0].name = [0xC3, 0x28] }),
    ("name twice", .duplicateName, { $0.tensors.append(GGUFSample.Tensor()) }),
    ("five dimensions", .badShape, { $0.tensors[0].dimensions = [8, 1, 1, 1, 1] }),
    ("2^31 dimensions", .badShape, { $0.tensors[0].dimensionCount = 1 << 31 }),
    ("dimension -1", .badShape, { $0.tensors[0].dimensions = [.max] }),
    ("2^32 x 2^32", .overflow, { $0.tensors[0].dimensions = [1 << 32, 1 << 32] }),
    ("2^62 x 2", .overflow, { $0.tensors[0].dimensions = [1 << 62, 2] }),
    (
      "overflow beside a zero", .overflow,
      { $0.tensors[0].dimensions = [0, 1 << 32, 1 << 32] }
    ),
    ("2^62 numbers of 4 bytes", .overflow, { $0.tensors[0].dimensions = [1 << 62] }),
    (
      "bytes that overflow once they are rounded up", .overflow,
      { $0.tensors[0] = GGUFSample.Tensor(dimensions: [(1 << 63) - 1], type: 24) }
    ),
    ("type 4", .removedTensorType, { $0.tensors[0].type = 4 }),
    ("type 5", .removedTensorType, { $0.tensors[0].type = 5 }),
    ("type 31", .removedTensorType, { $0.tensors[0].type = 31 }),
    ("type 33", .removedTensorType, { $0.tensors[0].type = 33 }),
    ("type 36", .removedTensorType, { $0.tensors[0].type = 36 }),
    ("type 38", .removedTensorType, { $0.tensors[0].type = 38 }),
    ("type -1", .badType, { $0.tensors[0].type = 0xFFFF_FFFF }),
    (
      "31 numbers of Q4_0", .badShape,
      {
        $0.tensors[0].dimensions = [31]; $0.tensors[0].type = 2
      }
    ),
    (
      "no dimension of Q4_0", .badShape,
      {
        $0.tensors[0].dimensions = []; $0.tensors[0].type = 2
      }
    ),
    ("first tensor at 32", .badOffset, { $0.tensors[0].offset = 32 }),
    ("first tensor at 2^64 - 32", .badOffset, { $0.tensors[0].offset = .max - 31 }),
    ("second tensor at 33", .badOffset, second(at: 33)),
    ("second tensor over the first", .badOffset, second(at: 0)),
    ("second tensor behind a hole", .badOffset, second(at: 64)),
    ("no architecture", .missingKey, { $0.keys = [] }),
    ("architecture as a number", .badType, architecture(4, [1, 0, 0, 0])),
    ("file type as i32", .badType, { $0.add("general.file_type", 5, [1, 0, 0, 0]) }),
    ("shard count as u32", .badType, { $0.add("split.count", u32: 2) }),
    ("shard number as u32", .badType, { $0.add("split.no", u32: 1) }),
    ("all tensors as u32", .badType, { $0.add("split.tensors.count", u32: 1) }),
    ("version 0", .unsupportedVersion, { $0.version = 0 }),
    ("version 1", .unsupportedVersion, { $0.version = 1 }),
    ("big-endian", .wrongEndian, { $0 = bigEndian }),
  ]

  static func unsplit(_ count: UInt64) -> Change {
    {
      $0.add("split.no", 2, [0, 0])
      $0.add("split.count", 2, Files.number(count, bytes: 2))
    }
  }

  static func longKey(_ length: Int) -> Change {
    { $0.add(String(repeating: "k", count: length), 0, [1]) }
  }

  static let bigEndian = {
    var sample = GGUFSample(architecture: nil)
    sample.isBigEndian = true
    sample.add("general.architecture", text: "llama")
    return sample
  }()

  static func architecture(_ type: UInt64, _ value: [UInt8]) -> Change {
    {
      $0.keys = []
      $0.add("general.architecture", type, value)
    }
  }

  static func second(at offset: UInt64) -> Change {
    { $0.tensors.append(GGUFSample.Tensor(name: Array("b".utf8), offset: offset)) }
  }

  @Test(arguments: faults.indices)
  func `what no runtime loads is refused by its name`(index: Int) throws {
    let (name, code, change) = Self.faults[index]
    let problem = try inspect("m.gguf", GGUFSample.with(change).bytes).problem
    #expect(problem?.fault.code == code.rawValue, "\(name): \(problem?.text ?? "accepted")")
  }

  static let warnings: [(String, FaultCode?, Change)] = [
    ("nothing special", nil, { _ in }),
    (
      "no dimensions", nil,
      {
        $0.tensors[0].dimensions = []; $0.tensors[0].size = 4
      }
    ),
    (
      "alignment 8", nil,
      {
        $0.add("general.alignment", u32: 8); $0.alignment = 8
      }
    ),
    (
      "alignment 1", .badOffset,
      {
        $0.add("general.alignment", u32: 1); $0.alignment = 1
      }
    ),
    ("bool 7", .badType, key(7, [7])),
    ("bool 1", nil, key(7, [1])),
    (
      "bool 7 in an array", .badType,
      key(9, Files.number(7, bytes: 4) + Files.number(3, bytes: 8) + [0, 1, 7])
    ),
    (
      "dimension 0", .badShape,
      {
        $0.tensors[0].dimensions = [0]; $0.tensors[0].size = 0
      }
    ),
    ("a key in capitals", .badEncoding, { $0.add("K", 0, [1]) }),
    ("a key of 65,535 bytes", nil, longKey(65_535)),
    ("split.count 1, which is no set", nil, unsplit(1)),
    ("split.count 0, which is no set", nil, unsplit(0)),
    (
      "a matrix of importances without architecture", nil,
      {
        $0.keys = []
        $0.add("general.type", text: "imatrix")
      }
    ),
    (
      "a type of runtimes", .badType, { $0.tensors[0] = .init(dimensions: [32], type: 9, size: 36) }
    ),
    ("31 zeros behind the data", nil, { $0.end = [UInt8](repeating: 0, count: 31) }),
    ("32 zeros behind the data", .trailingBytes, { $0.end = [UInt8](repeating: 0, count: 32) }),
    ("one byte behind the data", .trailingBytes, { $0.end = [1] }),
    ("a value that is not UTF-8", nil, key(8, Files.number(2, bytes: 8) + [0xC3, 0x28])),
  ]

  @Test(arguments: warnings.indices)
  func `what runtimes load is accepted, and what is seldom meant warned about`(index: Int) throws {
    let (name, code, change) = Self.warnings[index]
    let inspection = try inspect("m.gguf", GGUFSample.with(change).bytes)
    #expect(inspection.problem == nil, "\(name): \(inspection.problem?.text ?? "")")
    #expect(inspection.report.warnings.map(\.code) == (code.map { [$0] } ?? []), "\(name)")
  }

  static let unknowns: [(String, FaultCode, Change)] = [
    ("a type of the future", .unknownTensorType, { $0.tensors[0].type = 99 }),
    ("version 4", .newerVersion, { $0.version = 4 }),
  ]

  @Test(arguments: unknowns)
  func `what this program can't check is neither right nor wrong`(
    name: String,
    code: FaultCode,
    change: Change
  ) throws {
    let report = try inspect("m.gguf", GGUFSample.with(change).bytes).report
    #expect(report.fault == nil)
    #expect(report.unverified.map(\.code) == [code])
  }

  @Test(arguments: [0, 1] as [UInt64])
  func `a file that is its own set is no shard, and may be a vocabulary`(count: UInt64) throws {
    var sample = GGUFSample.with(Self.unsplit(count))
    let model = try inspect("renamed.gguf", sample.bytes)
    #expect(model.format.more["kind"] == .text("model"))
    #expect(model.format.more["shardCount"] == nil)
    #expect(model.minimums == ["llama.cpp b1405"])
    sample.tensors = []
    #expect(try inspect("v.gguf", sample.bytes).format.more["kind"] == .text("vocabulary"))
    #expect(try ReleaseFixture(["renamed.gguf": sample.bytes]).problems == [])
  }

  /// Data that ends beyond the file, and a file that was cut, are the same bytes: both are a file cut short.
  @Test func `data beyond the end of the file is named with what it needs`() throws {
    let sample = GGUFSample.with { $0.tensors[0] = .init(dimensions: [8_192], size: 4_000) }
    let bytes = sample.bytes
    #expect(bytes.count < 4_200)
    let problem = try inspect("m.gguf", bytes).problem
    let needed = UInt64(sample.dataStart + 4 * 8_192)
    #expect(problem?.fault == .truncated(needed: needed, size: bytes.count))
  }

  /// Far more room than the bytes take, so that only the limit itself refuses.
  private func inspectSparse(_ bytes: [UInt8]) throws -> (FileInspection, CountingSource) {
    let source = CountingSource(bytes, size: 1 << 40)
    return (FileInspection(try RelativePath("m.gguf"), source), source)
  }

  @Test(
    arguments: [
      (65_537, 1, true), (65_536, 1, false), (1, 1_048_577, true), (1, 1_048_576, false),
    ] as [(UInt64, UInt64, Bool)]
  )
  func `counts have limits of their own, whatever the size of the file`(
    keys: UInt64,
    tensors: UInt64,
    isTooMany: Bool
  ) throws {
    let bytes = GGUFSample.with {
      $0.keyCount = keys
      $0.tensorCount = tensors
    }.bytes
    let found = try inspectSparse(bytes).0
    // The zeros behind are keys without names, and tensors that repeat each other.
    #expect((found.problemCode == "countTooLarge") == isTooMany)
    #expect(found.problem != nil)
  }

  @Test(arguments: [1 << 31, 1 << 30 + 1] as [UInt64])
  func `a token of 2^31 bytes is refused in a file that has them`(length: UInt64) throws {
    let array = Files.number(8, bytes: 4) + Files.number(1, bytes: 8)
    let sample = GGUFSample.with {
      $0.tensors = []
      $0.add("tokenizer.ggml.model", text: "llama")
      $0.add("tokenizer.ggml.tokens", 9, array + Files.number(length, bytes: 8))
    }
    let (found, source) = try inspectSparse(sample.bytes)
    #expect(found.problemCode == "tooLong")
    #expect(source.count < 100_000)
  }

  @Test func `a message has place, expected and found value`() throws {
    let sample = GGUFSample.with { $0.tensors[0].offset = 32 }
    let problem = try inspect("m.gguf", sample.bytes).problem
    #expect(
      problem?.text == "m.gguf is malformed: tensor \"a\" at byte "
        + "\(sample.tableStart + 8 + 1 + 4 + 8 + 4): expected the offset 0, found 32"
    )
  }

  @Test func `every cut is named as one`() throws {
    let sample = GGUFSample.with {
      $0.add("general.name", text: "toy")
      $0.add("tokenizer.ggml.tokens", texts: ["a", "b"])
      $0.tensors.append(GGUFSample.Tensor(name: Array("b".utf8)))
    }
    let whole = sample.bytes
    #expect(try inspect("m.gguf", whole).problem == nil)
    for count in 1..<whole.count {
      let fault = try inspect("m.gguf", Array(whole.prefix(count))).problem?.fault
      #expect(fault?.code == "truncated", "cut at \(count): \(fault?.code ?? "accepted")")
    }
    #expect(try inspect("m.gguf", []).problem?.fault == .empty)
  }
}
