import Manifests
import ModelFormats
import Testing

struct ONNXTests {
  private func inspect(_ change: (inout ONNXFixture) -> Void = { _ in }) throws -> FileInspection {
    var fixture = ONNXFixture()
    change(&fixture)
    return try ModelFormatsTests.inspect("m.onnx", fixture.bytes)
  }

  @Test func `a whole model has no fault, and tells its facts`() throws {
    let found = try inspect {
      $0.opsets.append(("mine", 1))
      $0.initializers.append(ONNXFixture.tensor(external: [("location", "w.bin")]))
      $0.more =
        Files.field(3, Array("2.5".utf8))
        + Files.field(
          14,
          Files.field(1, Array("License".utf8)) + Files.field(2, Array("MIT".utf8))
        )
    }
    #expect(found.problemCode == nil)
    #expect(found.warningCodes == [])
    #expect(found.format.version == 8)
    #expect(found.format.types == ["FLOAT"])
    #expect(
      found.format.more == [
        "producer": .text("maker"), "producerVersion": .text("2.5"), "nodes": .integer(1),
        "initializers": .integer(2), "opsets": .counts(["ai.onnx": 17, "mine": 1]),
        "customDomains": .list(["mine"]), "externalFiles": .list(["w.bin"]),
      ]
    )
    #expect(found.report.licenses == ["MIT"])
  }

  private static let broken: [ChangedFixture<ONNXFixture, String>] = [
    ChangedFixture("no graph", "missingKey") { $0.graphs = 0 },
    ChangedFixture("two graphs", "duplicateKey") { $0.graphs = 2 },
    ChangedFixture("no opset", "missingKey") { $0.opsets = [] },
    ChangedFixture("no node", "missingKey") { $0.nodes = [] },
    ChangedFixture("no output", "missingKey") { $0.outputs = 0 },
    ChangedFixture("IR version 2", "unsupportedVersion") { $0.irVersion = 2 },
    ChangedFixture("opset 0", "unsupportedVersion") { $0.opsets = [("", 0)] },
    ChangedFixture("a zero byte behind", "trailingBytes") { $0.more = [0] },
    ChangedFixture("4096 zero bytes behind", "trailingBytes") {
      $0.more = [UInt8](repeating: 0, count: 4_096)
    },
    ChangedFixture("wire type 3", "badType") { $0.more = [0x3B] },
    ChangedFixture("wire type 7", "badType") { $0.more = [0x3F] },
    ChangedFixture("the graph as a number", "badType") { $0.more = Files.field(20, 1) },
    ChangedFixture("a varint of eleven bytes", "overflow") {
      $0.more = [0x28] + [UInt8](repeating: 0x80, count: 10) + [1]
    },
    ChangedFixture("a varint of 65 bits", "overflow") {
      $0.more = [0x28] + [UInt8](repeating: 0xFF, count: 9) + [2]
    },
    ChangedFixture("a length beyond the end", "truncated") { $0.more = [0x32, 100] },
    ChangedFixture("a length of 2^63", "truncated") { $0.more = [0x32] + Files.varint(1 << 63) },
    ChangedFixture("raw data too short", "badShape") {
      $0.initializers = [ONNXFixture.tensor(raw: 23)]
    },
    ChangedFixture("a shape of 2^32 x 2^32", "overflow") {
      $0.initializers = [ONNXFixture.tensor(dimensions: [1 << 32, 1 << 32])]
    },
    ChangedFixture("a negative dimension", "badShape") {
      $0.initializers = [ONNXFixture.tensor(dimensions: [UInt64(bitPattern: -1)])]
    },
    ChangedFixture("no data type", "badType") { $0.initializers = [ONNXFixture.tensor(type: 0)] },
  ]

  @Test(arguments: broken)
  func `a broken model is refused`(changed: ChangedFixture<ONNXFixture, String>) throws {
    #expect(try inspect(changed.change).problemCode == changed.outcome)
  }

  private static let newer: [ChangedFixture<ONNXFixture, Int>] = [
    ChangedFixture("IR version 99", 0) { $0.irVersion = 99 },
    ChangedFixture("opset 99", 0) { $0.opsets = [("", 99)] },
    ChangedFixture("ai.onnx.ml 99", 0) { $0.opsets = [("", 17), ("ai.onnx.ml", 99)] },
  ]

  @Test(arguments: newer)
  func `what is newer than this program is left unverified`(
    changed: ChangedFixture<ONNXFixture, Int>
  ) throws {
    let found = try inspect(changed.change)
    #expect(found.problemCode == nil)
    #expect(found.unverifiedCodes == [.newerVersion])
    #expect(found.minimums == [])
    #expect(!found.report.unknownToRuntimes.isEmpty)
  }

  @Test func `an unknown type of tensor is left unverified`() throws {
    let found = try inspect { $0.initializers = [ONNXFixture.tensor(type: 40)] }
    #expect(found.unverifiedCodes == [.unknownTensorType])
  }

  @Test func `an unknown field is a warning`() throws {
    let found = try inspect { $0.more = Files.field(77, 1) }
    #expect(found.problemCode == nil)
    #expect(found.warningCodes == [.unknownField])
  }

  @Test(
    arguments: [
      (8, 15, nil, "1.9"), (8, 16, nil, "1.11"), (8, 18, nil, "1.14"), (10, 18, nil, "1.18"),
      (8, 15, 2, "1.11"),
      (7, 11, nil, "1.3"), (10, 17, nil, "1.18"), (13, 17, nil, "1.24"), (14, 17, nil, "1.32"),
      (3, 7, nil, "1.0"),
      (9, 19, nil, "1.16"), (9, 20, 4, "1.17"), (10, 21, 5, "1.18"), (10, 22, nil, "1.21"),
      (11, 23, nil, "1.23"),
      (13, 25, nil, "1.24"), (13, 26, nil, "1.25"), (14, 28, 5, "1.32"), (6, 11, 1, "1.11"),
      (7, 13, nil, "1.6"),
      (7, 14, nil, "1.8"), (8, 17, 3, "1.12"), (9, 18, nil, "1.15"),
    ] as [(UInt64, UInt64, UInt64?, String)]
  )
  func `the oldest onnxruntime that covers all versions is derived`(
    irVersion: UInt64,
    opset: UInt64,
    ml: UInt64?,
    minimum: String
  ) throws {
    let found = try inspect {
      $0.irVersion = irVersion
      $0.opsets = [("", opset)] + (ml.map { [("ai.onnx.ml", $0)] } ?? [])
    }
    #expect(found.problemCode == nil)
    #expect(found.minimums == ["onnxruntime \(minimum)"])
  }

  @Test func `operators of other domains are named, unless the model defines them`() throws {
    let custom = try inspect {
      $0.nodes = [ONNXFixture.node(domain: "com.microsoft")]
      $0.opsets.append(("com.microsoft", 1))
    }
    #expect(custom.format.more["customDomains"] == .list(["com.microsoft"]))
    #expect(custom.report.unknownToRuntimes == ["operators of com.microsoft"])
    #expect(custom.minimums == ["onnxruntime 1.12"])
    // What is imported must be supported, even if nothing in the graph calls it.
    let imported = try inspect { $0.opsets.append(("foo.bar", 1)) }
    #expect(imported.problemCode == nil)
    #expect(imported.report.unknownToRuntimes == ["operators of foo.bar"])
    let own = try inspect {
      $0.nodes = [ONNXFixture.node(domain: "mine")]
      $0.more = Files.field(
        25,
        Files.field(1, Array("f".utf8)) + Files.field(10, Array("mine".utf8))
      )
    }
    #expect(own.report.unknownToRuntimes == [])
  }

  @Test func `operators that are not imported are a warning`() throws {
    let found = try inspect { $0.nodes.append(ONNXFixture.node(domain: "ai.onnx.ml")) }
    #expect(found.problemCode == nil)
    #expect(found.warningCodes == [.missingKey])
  }

  @Test func `thirty graphs inside each other are followed, and fifty are not`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      var graph = ONNXFixture().graph
      for _ in 0..<depth {
        let attribute = Files.field(1, Array("body".utf8)) + Files.field(6, graph)
        graph = Files.field(1, ONNXFixture.node(attributes: [attribute]))
      }
      return graph
    }
    for (depth, code) in [(30, nil), (50, "countTooLarge")] as [(Int, String?)] {
      let attribute = Files.field(1, Array("body".utf8)) + Files.field(6, nested(depth))
      let found = try inspect { $0.nodes = [ONNXFixture.node(attributes: [attribute])] }
      #expect(found.problemCode == code)
    }
  }

  @Test func `a message that leaves the one around it is refused`() throws {
    // A tensor that says to be longer than the graph that holds it, inside a longer file.
    let graph = Files.field(1, ONNXFixture.node()) + [0x2A, 100, 1]
    let bytes =
      Files.field(1, 8) + Files.field(7, graph) + Files.field(6, [UInt8](repeating: 65, count: 200))
    #expect(try ModelFormatsTests.inspect("m.onnx", bytes).problemCode == "outOfBounds")
  }

  @Test func `every cut is refused`() throws {
    let bytes = ONNXFixture().bytes
    for count in 0..<bytes.count {
      #expect(
        try ModelFormatsTests.inspect("m.onnx", Array(bytes.prefix(count))).problemCode != nil,
        "cut at \(count)"
      )
    }
  }

  private static let types: [(UInt64, String, Int)] = [
    (1, "FLOAT", 32), (2, "UINT8", 8), (3, "INT8", 8), (4, "UINT16", 16), (5, "INT16", 16),
    (6, "INT32", 32), (7, "INT64", 64), (9, "BOOL", 8), (10, "FLOAT16", 16), (11, "DOUBLE", 64),
    (12, "UINT32", 32), (13, "UINT64", 64), (14, "COMPLEX64", 64), (15, "COMPLEX128", 128),
    (16, "BFLOAT16", 16), (17, "FLOAT8E4M3FN", 8), (18, "FLOAT8E4M3FNUZ", 8), (19, "FLOAT8E5M2", 8),
    (20, "FLOAT8E5M2FNUZ", 8), (21, "UINT4", 4), (22, "INT4", 4), (23, "FLOAT4E2M1", 4),
    (24, "FLOAT8E8M0", 8), (25, "UINT2", 2), (26, "INT2", 2),
  ]

  @Test(arguments: types)
  func `the bytes of a tensor follow from its type and shape`(
    type: UInt64,
    name: String,
    bits: Int
  ) throws {
    // Bits that fill no whole byte are filled up.
    let size = (7 * bits + 7) / 8
    for (raw, code) in [(size, nil), (size + 1, "badShape"), (size - 1, "badShape")]
      as [(Int, String?)]
    {
      let found = try inspect {
        $0.initializers = [ONNXFixture.tensor(dimensions: [7], type: type, raw: raw)]
      }
      #expect(found.problemCode == code)
      #expect(found.format.types == [name])
    }
    let external = try inspect {
      $0.initializers = [
        ONNXFixture.tensor(dimensions: [7], type: type, external: [("location", "w.bin")])
      ]
    }
    #expect(external.report.links == [.external(location: "w.bin", end: UInt64(size))])
  }

  @Test(arguments: [(27, "FLOAT6E2M3"), (28, "FLOAT6E3M2")] as [(UInt64, String)])
  func `numbers of six bits have no size yet`(type: UInt64, name: String) throws {
    for raw in [5, 6, 7] {
      let inner = try inspect {
        $0.initializers = [ONNXFixture.tensor(dimensions: [7], type: type, raw: raw)]
      }
      #expect(inner.problem == nil)
      #expect(inner.format.types == [name])
    }
    let keys = [("location", "w.bin")]
    let unknown = try inspect {
      $0.initializers = [ONNXFixture.tensor(dimensions: [7], type: type, external: keys)]
    }
    #expect(unknown.unverifiedCodes == [.unknownTensorType])
    let stated = try inspect {
      let keys = keys + [("length", "6")]
      $0.initializers = [ONNXFixture.tensor(dimensions: [7], type: type, external: keys)]
    }
    #expect(stated.problem == nil)
    #expect(stated.report.links == [.external(location: "w.bin", end: 6)])
  }

  @Test func `texts have no size, and types beyond the last can't be checked`() throws {
    #expect(
      try inspect { $0.initializers = [ONNXFixture.tensor(type: 8, raw: nil)] }.problem == nil
    )
    for type: UInt64 in [29, 99, 1 << 40] {
      let found = try inspect { $0.initializers = [ONNXFixture.tensor(type: type)] }
      #expect(found.unverifiedCodes == [.unknownTensorType])
    }
  }

  /// Each release with its three maxima, and whether these were measured or are documented.
  private static let releases: [(String, UInt64, UInt64, UInt64?, String)] = [
    ("1.0", 6, 11, nil, "documented"), ("1.3", 7, 12, nil, "documented"),
    ("1.6", 7, 13, nil, "documented"), ("1.8", 7, 14, nil, "documented"),
    ("1.9", 8, 15, nil, "documented"), ("1.11", 8, 16, 2, "documented"),
    ("1.12", 8, 17, 3, "documented"), ("1.14", 8, 18, 3, "documented"),
    ("1.15", 9, 18, 3, "measured"), ("1.16", 9, 19, 3, "measured"), ("1.17", 9, 20, 4, "measured"),
    ("1.18", 10, 21, 5, "measured"), ("1.21", 10, 22, 5, "measured"),
    ("1.23", 11, 23, 5, "measured"), ("1.24", 13, 25, 5, "measured"),
    ("1.25", 13, 26, 5, "measured"), ("1.32", 14, 28, 5, "measured"),
  ]

  @Test(arguments: releases)
  func
    `each release of onnxruntime loads up to its own versions, and the reason tells how that is known`(
      release: String,
      irVersion: UInt64,
      opset: UInt64,
      ml: UInt64?,
      basis: String
    ) throws
  {
    let found = try inspect {
      $0.irVersion = irVersion
      $0.opsets = [("", opset)] + (ml.map { [("ai.onnx.ml", $0)] } ?? [])
    }
    #expect(found.minimums == ["onnxruntime \(release)"])
    let versions = "IR version \(irVersion), opset \(opset)\(ml.map { ", ai.onnx.ml \($0)" } ?? "")"
    #expect(found.report.runtimes.first?.because == ["\(versions) (\(basis))"])
  }
}
