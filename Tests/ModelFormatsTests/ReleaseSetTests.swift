import Manifests
import ModelFormats
import Testing

/// What files of one release say of each other.
struct ReleaseSetTests {
  typealias File = (name: String, bytes: [UInt8])

  static func inspection(_ files: [File]) throws -> ReleaseInspection {
    let sources = try files.map { (try RelativePath($0.name), BytesInMemory($0.bytes)) }
    let inspections = sources.map { FileInspection($0.0, $0.1) }
    for inspection in inspections { #expect(inspection.problem == nil) }
    return ReleaseInspection(of: inspections) { path in
      sources.first { $0.0 == path }?.1 ?? BytesInMemory([])
    }
  }

  static func shard(
    _ index: Int,
    of count: Int,
    tensors: UInt64? = nil,
    tensor: String? = nil
  ) -> [UInt8] {
    GGUFSample.with {
      $0.add("split.no", 2, Files.number(UInt64(index), bytes: 2))
      $0.add("split.count", 2, Files.number(UInt64(count), bytes: 2))
      if let tensors { $0.add("split.tensors.count", 5, Files.number(tensors, bytes: 4)) }
      $0.tensors[0].name = Array((tensor ?? "t\(index)").utf8)
    }.bytes
  }

  static let whole: [File] = (0..<3).map { index in
    ("m-0000\(index + 1)-of-00003.gguf", shard(index, of: 3, tensors: 3))
  }

  @Test func `a whole set is right`() throws {
    let inspection = try Self.inspection(Self.whole)
    #expect(inspection.problems.isEmpty)
    #expect(inspection.warnings.isEmpty)
  }

  static let broken: [(String, String, [File])] = [
    ("one missing", "shardMismatch", [whole[0], whole[1]]),
    ("renamed", "shardMismatch", [("renamed0.gguf", whole[0].bytes), whole[1], whole[2]]),
    (
      "in another order", "shardMismatch",
      [(whole[1].name, whole[0].bytes), (whole[0].name, whole[1].bytes), whole[2]]
    ),
    (
      "another count of tensors", "shardMismatch",
      [whole[0], whole[1], (whole[2].name, shard(2, of: 3, tensors: 4))]
    ),
    (
      "no count of tensors", "shardMismatch",
      [whole[0], whole[1], (whole[2].name, shard(2, of: 3))]
    ),
    (
      "one name in two shards", "shardMismatch",
      [whole[0], whole[1], (whole[2].name, shard(2, of: 3, tensors: 3, tensor: "t0"))]
    ),
    (
      "a file that knows of no set", "shardMismatch",
      [whole[0], whole[1], (whole[2].name, GGUFSample().bytes)]
    ),
  ]

  @Test(arguments: broken.indices)
  func `a set that a runtime would not load is refused`(index: Int) throws {
    let (name, code, files) = Self.broken[index]
    let problems = try Self.inspection(files).problems
    #expect(problems.first?.fault.code == code, "\(name): \(problems)")
  }

  /// A set is loaded from its first shard, whatever file a person names.
  @Test func `a set without its first shard is refused, and the entry is always the first`() throws
  {
    for later in [[1, 2], [1], [2]] {
      let problems = try Self.inspection(later.map { Self.whole[$0] }).problems
      #expect(problems.map(\.fault.code) == ["shardMismatch"])
      #expect(problems.first?.text.contains("expected m-00001-of-00003.gguf") == true)
    }
    for file in Self.whole {
      let path = try RelativePath("sub/\(file.name)")
      let entry = FileInspection(path, BytesInMemory(file.bytes)).entryPoint
      #expect(entry?.text == "sub/m-00001-of-00003.gguf")
    }
    #expect(try inspect("m.gguf", GGUFSample().bytes).entryPoint == nil)
  }

  /// The bytes of another model's shard fit in every count and name; only the signed digest tells.
  @Test func `a shard of another model with the same names is no fault of structure`() throws {
    let foreign = GGUFSample.with {
      $0.keys = []
      $0.add("split.no", 2, [2, 0])
      $0.add("split.count", 2, [3, 0])
      $0.add("split.tensors.count", 5, [3, 0, 0, 0])
      $0.add("general.name", text: "another")
      $0.tensors[0].name = Array("t2".utf8)
    }.bytes
    let set = [Self.whole[0], Self.whole[1], (Self.whole[2].name, foreign)]
    #expect(try Self.inspection(set).problems == [])
  }

  @Test func `a shard that is cut is named as cut`() throws {
    let problem = try inspect(Self.whole[2].name, Array(Self.whole[2].bytes.dropLast(40))).problem
    #expect(problem?.fault.code == "truncated")
    #expect(problem?.file.text == "m-00003-of-00003.gguf")
  }

  @Test(
    arguments: [(64, []), (128, ["mmproj.gguf roleMismatch"])] as [(UInt64, [String])]
  )
  func `a projector of another width than its model is a warning, since right pairs differ too`(
    width: UInt64,
    warnings: [String]
  ) throws {
    let model = GGUFSample.with { $0.add("llama.embedding_length", u32: 64) }.bytes
    var projector = GGUFSample(architecture: "clip")
    projector.add("clip.projector_type", text: "mlp")
    projector.add("clip.vision.projection_dim", u32: width)
    let release = try ReleaseFixture(["m.gguf": model, "mmproj.gguf": projector.bytes])
    #expect(release.fileProblems == [])
    #expect(release.problems == [])
    #expect(release.warnings == warnings)
  }

  static func index(_ entries: String, total: Int = 16) -> File {
    let text = "{\"metadata\":{\"total_size\":\(total)},\"weight_map\":{\(entries)}}"
    return ("model.safetensors.index.json", Array(text.utf8))
  }

  static func safetensors(_ number: Int, _ tensor: String) -> File {
    let bytes = SafetensorsTests.file(SafetensorsTests.entry(tensor))
    return ("model-0000\(number)-of-00002.safetensors", bytes)
  }

  static let entries =
    "\"a\":\"model-00001-of-00002.safetensors\",\"b\":\"model-00002-of-00002.safetensors\""

  @Test func `an index fits its shards`() throws {
    let shards = [Self.safetensors(1, "a"), Self.safetensors(2, "b")]
    let right = try Self.inspection([Self.index(Self.entries)] + shards)
    #expect(right.problems.isEmpty)
    #expect(right.warnings.isEmpty)
    let swapped = [Self.safetensors(1, "b"), Self.safetensors(2, "a")]
    let wrong = try Self.inspection([Self.index(Self.entries)] + swapped)
    #expect(wrong.problems.map(\.fault.code) == ["shardMismatch"])
    let short = try Self.inspection([Self.index(Self.entries, total: 17)] + shards)
    #expect(short.warnings.map(\.fault.subject) == ["total_size"])
    let first = "\"a\":\"model-00001-of-00002.safetensors\""
    let extra = try Self.inspection([Self.index(first + ",\"c\":\"x.safetensors\"")] + shards)
    #expect(extra.problems.map(\.fault.code) == ["shardMismatch"])
    #expect(extra.problems.first?.text.contains("x.safetensors in the release") == true)
  }

  @Test func `a tensor that the index doesn't have is a warning about its shard`() throws {
    let first = ("model-00001-of-00002.safetensors", Self.two)
    let found = try Self.inspection([
      Self.index(Self.entries, total: 24), first, Self.safetensors(2, "b"),
    ])
    #expect(found.problems == [])
    #expect(found.warnings.map(\.fault.code) == [.shardMismatch])
    #expect(found.warnings.first?.file.text == "model-00001-of-00002.safetensors")
    #expect(found.warnings.first?.fault.expected == "tensor \"more\"")
  }

  private static let two = SafetensorsTests.file(
    SafetensorsTests.entry("a"),
    SafetensorsTests.entry("more", "F32", "[2]", "[8,16]"),
    data: 16
  )

  /// Each set is looked through once: for each of its files again, this would take hours.
  @Test(.timeLimit(.minutes(5)))
  func `a set of ten thousand shards is checked in one pass, and refused once`() throws {
    let count = 10_000
    let bytes = SafetensorsTests.file(SafetensorsTests.entry())
    let inspections = try (1..<count).map { number in
      let digits = String(number)
      let padded = String(repeating: "0", count: 5 - digits.count) + digits
      return try inspect("m-\(padded)-of-\(count).safetensors", bytes)
    }
    let found = ReleaseInspection(of: inspections) { _ in BytesInMemory(bytes) }
    #expect(found.problems.map(\.file.text) == ["m-00001-of-10000.safetensors"])
    let missing = "expected m-10000-of-10000.safetensors in the release"
    #expect(found.problems.first?.text.contains(missing) == true)
  }

  @Test func `a set without an index has all files that its names count`() throws {
    let problems = try Self.inspection([Self.safetensors(1, "a")]).problems
    #expect(problems.map(\.fault.code) == ["shardMismatch"])
    let missing = "expected model-00002-of-00002.safetensors in the release"
    #expect(problems.first?.text.contains(missing) == true)
  }

  @Test(arguments: [
    ("../x", "externalPathUnsafe"), ("a/b", "externalPathUnsafe"), ("a\\\\b", "externalPathUnsafe"),
    ("..", "externalPathUnsafe"), ("", "externalPathUnsafe"),
  ])
  func `an index names plain files only`(file: String, code: String) throws {
    let (name, bytes) = Self.index("\"a\":\"\(file)\"")
    #expect(try inspect(name, bytes).problem?.fault.code == code)
  }

  @Test(arguments: [
    ("{\"weight_map\":{\"a\":\"x\",\"a\":\"y\"}}", "duplicateKey"), ("{}", "missingKey"),
    ("{\"weight_map\":[]}", "badType"), ("{\"weight_map\":{}} x", "trailingBytes"),
    ("{\"weight_map\":{\"a\":1}}", "badType"), ("{\"weight_map\":{", "truncated"),
  ])
  func `an index that is none is refused`(text: String, code: String) throws {
    let problem = try inspect("model.safetensors.index.json", Array(text.utf8)).problem
    #expect(problem?.fault.code == code)
  }
}
