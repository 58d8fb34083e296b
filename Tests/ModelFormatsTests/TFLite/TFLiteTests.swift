import Manifests
import ModelFormats
import Testing

/// A TensorFlow Lite model of one operator, unless a test says otherwise.
struct TFLiteFixture {
  var version: UInt32 = 3
  var codes: [[Int: FlatFixture.Value]] = [[4: .u8(3), 8: .u32(2)]]
  /// The lists of fields of the buffers; the first is empty by convention.
  var buffers: [[Int: FlatFixture.Value]]? = [[:], [4: .bytes([UInt8](repeating: 1, count: 24))]]
  var tensors: [[Int: FlatFixture.Value]] = [
    [4: .numbers([2, 3]), 6: .u8(0), 8: .u32(1), 10: .text("w")],
    [4: .numbers([2, 3]), 8: .u32(0)],
  ]
  var operations: [[Int: FlatFixture.Value]] = [
    [
      4: .u32(0), 6: .numbers([0, UInt32.max]), 8: .numbers([1]), 10: .u8(1),
      12: .table(FlatFixture([4: .u8(1)])),
    ]
  ]
  var minimum: String? = "1.14.0"
  var more: [Int: FlatFixture.Value] = [:]

  var bytes: [UInt8] {
    var buffers = self.buffers
    var fields: [Int: FlatFixture.Value] = [
      4: .u32(version), 6: .tables(codes.map(FlatFixture.init)), 10: .text("made by a test"),
      8: .tables([
        FlatFixture([
          4: .tables(tensors.map(FlatFixture.init)), 6: .numbers([0]), 8: .numbers([1]),
          10: .tables(operations.map(FlatFixture.init)), 12: .text("main"),
        ])
      ]),
    ]
    if let minimum, buffers != nil {
      let text = Array(minimum.utf8) + [UInt8](repeating: 0, count: 16 - minimum.utf8.count)
      buffers?.append([4: .bytes(text)])
      let number = UInt32((buffers?.count ?? 1) - 1)
      fields[16] = .tables([FlatFixture([4: .text("min_runtime_version"), 6: .u32(number)])])
    }
    if let buffers { fields[12] = .tables(buffers.map(FlatFixture.init)) }
    fields.merge(more) { $1 }
    return FlatFixture(fields).file(identifier: "TFL3")
  }
}

struct TFLiteTests {
  private func inspect(_ change: (inout TFLiteFixture) -> Void = { _ in }) throws -> FileInspection
  {
    var fixture = TFLiteFixture()
    change(&fixture)
    return try ModelFormatsTests.inspect("m.tflite", fixture.bytes)
  }

  @Test func `a whole model has no fault, and tells its facts`() throws {
    let found = try inspect()
    #expect(found.problemCode == nil)
    #expect(found.warningCodes == [])
    #expect(found.format.version == 3)
    #expect(found.format.types == ["FLOAT32"])
    #expect(
      found.format.more == [
        "operators": .counts(["3": 2]), "description": .text("made by a test"),
        "minRuntimeVersion": .text("1.14.0"),
      ]
    )
    #expect(found.minimums == ["tflite 1.14.0"])
    #expect(found.report.unknownToRuntimes == [])
  }

  private static let broken: [ChangedFixture<TFLiteFixture, String>] = [
    ChangedFixture("version 2", "unsupportedVersion") { $0.version = 2 },
    ChangedFixture("buffer out of range", "outOfBounds") { $0.tensors[0][8] = .u32(9) },
    ChangedFixture("no buffers", "outOfBounds") { $0.buffers = nil },
    ChangedFixture("metadata of a missing buffer", "outOfBounds") {
      $0.more[16] = .tables([FlatFixture([4: .text("a"), 6: .u32(9)])])
    },
    ChangedFixture("operator out of range", "outOfBounds") { $0.operations[0][4] = .u32(1) },
    ChangedFixture("input out of range", "outOfBounds") { $0.operations[0][6] = .numbers([2]) },
    ChangedFixture("input -2", "outOfBounds") { $0.operations[0][6] = .numbers([UInt32.max - 1]) },
    ChangedFixture("no subgraph", "missingKey") { $0.more[8] = .tables([]) },
    ChangedFixture("buffer shorter than the shape", "badShape") {
      $0.tensors[0][4] = .numbers([2, 4])
    },
    ChangedFixture("negative dimension", "badShape") { $0.tensors[0][4] = .numbers([UInt32.max]) },
    ChangedFixture("shape of 2^93", "overflow") {
      $0.tensors[0][4] = .numbers([1 << 31 - 1, 1 << 31 - 1, 1 << 31 - 1])
    },
    ChangedFixture("buffer beyond the end", "outOfBounds") {
      $0.buffers?[1] = [6: .u64(64), 8: .u64(1 << 40)]
    },
    ChangedFixture("buffer whose end overflows", "outOfBounds") {
      $0.buffers?[1] = [6: .u64(64), 8: .u64(.max)]
    },
    ChangedFixture("placeholder operator", "badType") {
      $0.codes[0] = [4: .u8(127), 10: .u32(127)]
    },
    ChangedFixture("unsafe external group", "externalPathUnsafe") {
      $0.more[20] = .tables([FlatFixture([4: .text("../x")])])
    },
    ChangedFixture("an external buffer that the model doesn't have", "outOfBounds") {
      $0.tensors[1][24] = .u32(7)
    },
    ChangedFixture("a group that the model doesn't have", "outOfBounds") {
      $0.more[22] = .tables([FlatFixture([4: .u32(1), 6: .u32(1), 8: .u64(0), 10: .u64(8)])])
    },
    ChangedFixture("an external buffer whose end overflows", "overflow") {
      $0.more[20] = .tables([FlatFixture([4: .text("w.bin")])])
      $0.more[22] = .tables([FlatFixture([4: .u32(1), 8: .u64(.max), 10: .u64(8)])])
    },
    ChangedFixture("options of a custom operator beyond the end", "outOfBounds") {
      $0.operations[0][22] = .u64(64)
      $0.operations[0][24] = .u64(1 << 40)
    },
    ChangedFixture("options of a custom operator whose end overflows", "outOfBounds") {
      $0.operations[0][22] = .u64(64)
      $0.operations[0][24] = .u64(.max)
    },
    ChangedFixture("data under a dimension of 0", "badShape") {
      $0.tensors[0][4] = .numbers([0, 3])
    },
    ChangedFixture("subgraph of a signature", "outOfBounds") {
      $0.more[18] = .tables([FlatFixture([12: .u32(4)])])
    },
  ]

  @Test(arguments: broken)
  func `a broken model is refused`(changed: ChangedFixture<TFLiteFixture, String>) throws {
    #expect(try inspect(changed.change).problemCode == changed.outcome)
  }

  private static let allowed: [ChangedFixture<TFLiteFixture, [String: FormatFacts.Fact]>] = [
    ChangedFixture("a tensor in an external buffer", ["externalFiles": .list(["w.bin"])]) {
      $0.tensors[1][24] = .u32(1 << 31)
      $0.more[20] = .tables([FlatFixture([4: .text("w.bin")])])
      $0.more[22] = .tables([
        FlatFixture([4: .u32(1 << 31), 8: .u64(0), 10: .u64(24), 12: .text("unpacked")])
      ])
    },
    ChangedFixture("options of a custom operator behind the tables", [:]) {
      $0.operations[0][22] = .u64(64)
      $0.operations[0][24] = .u64(8)
    },
    ChangedFixture("options that are still to be placed", [:]) {
      $0.operations[0][22] = .u64(1)
      $0.operations[0][24] = .u64(.max)
    },
    ChangedFixture("a dimension of 0 without data", [:]) { $0.tensors[1][4] = .numbers([0, 3]) },
    ChangedFixture("a dimension of 0 beside the greatest", [:]) {
      $0.tensors[1][4] = .numbers([1 << 31 - 1, 0, 1 << 31 - 1])
    },
    ChangedFixture("a shape of no dimension", [:]) { $0.tensors[1][4] = .numbers([]) },
  ]

  @Test(arguments: allowed)
  func `what the schema allows is accepted`(
    changed: ChangedFixture<TFLiteFixture, [String: FormatFacts.Fact]>
  ) throws {
    let found = try inspect(changed.change)
    #expect(found.problem == nil)
    #expect(found.format.more["externalFiles"] == changed.outcome["externalFiles"])
  }

  @Test func `every cut is refused`() throws {
    let bytes = TFLiteFixture().bytes
    for count in 0..<bytes.count {
      #expect(
        try ModelFormatsTests.inspect("m.tflite", Array(bytes.prefix(count))).problemCode != nil,
        "cut at \(count)"
      )
    }
  }

  @Test(arguments: [1, 4_096]) func `bytes behind the model are a warning`(count: Int) throws {
    let bytes = TFLiteFixture().bytes + [UInt8](repeating: 0, count: count)
    let found = try ModelFormatsTests.inspect("m.tflite", bytes)
    #expect(found.problemCode == nil)
    #expect(found.warningCodes == [.trailingBytes])
  }

  @Test(
    arguments: [
      (0, 0x7FFF_FFFF), (0, 2), (0, 0xFFFF_FFFC), (0, 17),
    ] as [(Int, UInt64)]
  )
  func `a root outside the file is refused`(place: Int, offset: UInt64) throws {
    var bytes = TFLiteFixture().bytes
    FlatFixture.set(&bytes, at: place, offset, bytes: 4)
    #expect(try ModelFormatsTests.inspect("m.tflite", bytes).problemCode == "badOffset")
  }

  @Test(arguments: [0x7FFF_FFFF, 0x8000_0000, 0xFFFF_0000] as [UInt64])
  func `a list of fields outside the file is refused`(offset: UInt64) throws {
    var bytes = TFLiteFixture().bytes
    let root = Int(bytes[0]) | Int(bytes[1]) << 8
    FlatFixture.set(&bytes, at: root, offset, bytes: 4)
    #expect(try ModelFormatsTests.inspect("m.tflite", bytes).problemCode == "badOffset")
  }

  @Test func `a wrong identifier is no such model`() throws {
    var bytes = TFLiteFixture().bytes
    bytes[7] = UInt8(ascii: "9")
    #expect(try ModelFormatsTests.inspect("m.tflite", bytes).problemCode == "formatMismatch")
  }

  @Test func `a newer version is left unverified`() throws {
    #expect(try inspect { $0.version = 4 }.unverifiedCodes == [.newerVersion])
  }

  @Test func `custom operators are a requirement`() throws {
    let found = try inspect { $0.codes.append([4: .u8(32), 6: .text("FlexErf"), 10: .u32(32)]) }
    #expect(found.problemCode == nil)
    #expect(found.format.more["customOperators"] == .list(["FlexErf"]))
    #expect(found.report.unknownToRuntimes == ["custom operator FlexErf"])
  }

  @Test func `the greater of both codes of an operator counts`() throws {
    let found = try inspect { $0.codes = [[4: .u8(127), 10: .u32(150), 8: .u32(1)]] }
    #expect(found.format.more["operators"] == .counts(["150": 1]))
  }

  @Test(arguments: [("", "that is empty"), ("abcde", "abcde"), ("2..60", "2..60"), ("2\n", "2\n")])
  func `a minimum that says nothing is unknown`(minimum: String, shown: String) throws {
    let found = try inspect { $0.minimum = minimum }
    #expect(found.problemCode == nil)
    #expect(found.minimums == [])
    #expect(found.report.unknownToRuntimes == ["min_runtime_version \(shown)"])
  }

  @Test func `a minimum that is absent is unknown`() throws {
    let found = try inspect { $0.minimum = nil }
    #expect(found.problemCode == nil)
    #expect(found.minimums == [])
    #expect(found.report.unknownToRuntimes == ["min_runtime_version that is absent"])
  }

  @Test(
    arguments: [
      (16_384, []), (100, ["m.tflite outOfBounds"]), (nil, ["m.tflite externalFileMissing"]),
    ] as [(Int?, [String])]
  )
  func `external groups lie beside the model`(size: Int?, problems: [String]) throws {
    var fixture = TFLiteFixture()
    fixture.more[20] = .tables([FlatFixture([4: .text("w.bin")])])
    fixture.more[22] = .tables([
      FlatFixture([4: .u32(1), 6: .u32(0), 8: .u64(4_096), 10: .u64(1_000)])
    ])
    var files = ["m.tflite": fixture.bytes]
    if let size { files["w.bin"] = ReleaseFixture.data(size) }
    let release = try ReleaseFixture(files)
    #expect(release.fileProblems == [])
    #expect(release.problems == problems)
  }

  @Test func `tables that share all of their tables end soon`() throws {
    // 8,000 references to one table with 8,000 references of its own.
    var bytes = [12, 0, 0, 0] + Array("TFL3".utf8) + [0, 0, 0, 0]
    bytes = FlatFixture([
      4: .u32(3),
      8: .tables(Array(repeating: FlatFixture([4: .tables([FlatFixture()])]), count: 8_000)),
    ])
    .file(identifier: "TFL3")
    let subgraphs = try #require(Self.vector(of: bytes, slot: 8))
    let shared = subgraphs + 4 * 7_999
    let target = shared + Int(Self.u32(bytes, shared))
    for index in 0..<8_000 {
      FlatFixture.set(
        &bytes,
        at: subgraphs + 4 * index,
        UInt64(target - subgraphs - 4 * index),
        bytes: 4
      )
    }
    let found = try ModelFormatsTests.inspect("m.tflite", bytes)
    #expect(found.problemCode != nil)
  }

  private static func u32(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
  }

  /// The place of the first element of a vector of the root table.
  private static func vector(of bytes: [UInt8], slot: Int) -> Int? {
    let root = Int(u32(bytes, 0))
    let list = root - Int(u32(bytes, root))
    let field = Int(bytes[list + slot]) | Int(bytes[list + slot + 1]) << 8
    guard field > 0 else { return nil }
    return root + field + Int(u32(bytes, root + field)) + 4
  }
}
