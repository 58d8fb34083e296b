import Manifests
import ModelFormats
import Testing

/// A Core ML model that a test writes: a program with one place in a file of weights, unless a test says otherwise.
struct CoreMLFixture {
  var version: UInt64 = 6
  var opset = "CoreML5"
  var blobs: [(name: String, offset: UInt64)] = [("@model_path/weights/weight.bin", 64)]
  /// The type and its content; nil for the program.
  var types: [(number: UInt64, content: [UInt8])]?
  var license = "MIT"
  var more: [UInt8] = []

  static func text(_ number: UInt64, _ text: String) -> [UInt8] {
    Files.field(number, Array(text.utf8))
  }

  var program: [UInt8] {
    let values = blobs.flatMap { blob in
      Files.field(
        5,
        Self.text(1, "val")
          + Files.field(2, Files.field(5, Self.text(1, blob.name) + Files.field(2, blob.offset)))
      )
    }
    let block = Files.field(3, Self.text(1, "const") + values)
    let function = Self.text(2, opset) + Files.field(3, Self.text(1, opset) + Files.field(2, block))
    return Files.field(1, 1) + Files.field(2, Self.text(1, "main") + Files.field(2, function))
  }

  var bytes: [UInt8] {
    let entry = Self.text(1, "com.github.apple.coremltools.version") + Self.text(2, "9.0")
    let metadata = Self.text(3, "me") + Self.text(4, license) + Files.field(100, entry)
    let description = Files.field(100, metadata)
    let types = self.types ?? [(502, program)]
    return Files.field(1, version) + Files.field(2, description)
      + types.flatMap { Files.field($0.number, $0.content) } + more
  }

  /// A file of weights with records at 64, 192, …, each of 64 bytes.
  static func weights(_ count: Int = 1) -> [UInt8] {
    var bytes =
      Files.number(UInt64(count), bytes: 4) + Files.number(2, bytes: 4)
      + [UInt8](repeating: 0, count: 56)
    for index in 0..<count {
      bytes +=
        Files.number(0xDEAD_BEEF, bytes: 4) + Files.number(1, bytes: 4) + Files.number(64, bytes: 8)
      bytes += Files.number(UInt64(128 + 128 * index), bytes: 8) + [UInt8](repeating: 0, count: 40)
      bytes += [UInt8](repeating: 9, count: 64)
    }
    return bytes
  }
}

struct CoreMLTests {
  private func inspect(_ change: (inout CoreMLFixture) -> Void = { _ in }) throws -> FileInspection
  {
    var fixture = CoreMLFixture()
    change(&fixture)
    return try ModelFormatsTests.inspect("m.mlmodel", fixture.bytes)
  }

  @Test func `a whole model has no fault, and tells its facts`() throws {
    let found = try inspect {
      $0.blobs.append(("@model_path/weights/weight.bin", 192))
      $0.more = Files.field(10, 1)
    }
    #expect(found.problemCode == nil)
    #expect(found.format.version == 6)
    #expect(
      found.format.more == [
        "type": .text("mlProgram"), "opsets": .list(["CoreML5"]), "updatable": .text("yes"),
        "externalFiles": .list(["weights/weight.bin"]), "blobs": .integer(2),
        "author": .text("me"), "producer": .text("coremltools 9.0"),
      ]
    )
    #expect(found.report.licenses == ["MIT"])
    #expect(found.minimums == ["ios 15", "macos 12"])
  }

  private static let broken: [ChangedFixture<CoreMLFixture, String>] = [
    ChangedFixture("no type", "missingKey") { $0.types = [] },
    ChangedFixture("two types", "duplicateKey") { $0.types = [(500, []), (502, [])] },
    ChangedFixture("the same type twice", "duplicateKey") { $0.types = [(500, []), (500, [])] },
    ChangedFixture("version 0", "unsupportedVersion") { $0.version = 0 },
    ChangedFixture("a zero byte behind", "trailingBytes") { $0.more = [0] },
    ChangedFixture("a byte behind", "truncated") { $0.more = [0x12] },
    ChangedFixture("two descriptions", "duplicateKey") { $0.more = Files.field(2, [0x0A, 0]) },
    ChangedFixture("a blob outside the package", "externalPathUnsafe") {
      $0.blobs[0].name = "@model_path/../x"
    },
    ChangedFixture("an absolute blob", "externalPathUnsafe") { $0.blobs[0].name = "/etc/passwd" },
    ChangedFixture("a blob at 65", "badOffset") { $0.blobs[0].offset = 65 },
    ChangedFixture("a pipeline of a broken model", "missingKey") {
      $0.types = [(202, Files.field(1, Files.field(1, 6)))]
    },
  ]

  @Test(arguments: broken)
  func `a broken model is refused`(changed: ChangedFixture<CoreMLFixture, String>) throws {
    #expect(try inspect(changed.change).problemCode == changed.outcome)
  }

  @Test func `a model cut inside its description is cut short`() throws {
    #expect(
      try ModelFormatsTests.inspect("m.mlmodel", Array(CoreMLFixture().bytes.prefix(8))).problemCode
        == "truncated"
    )
  }

  @Test(
    arguments: [
      (200, "pipelineClassifier"), (201, "pipelineRegressor"), (202, "pipeline"),
      (500, "neuralNetwork"), (555, "customModel"), (556, "linkedModel"), (303, "type 303"),
    ] as [(UInt64, String)]
  )
  func `the field that holds the model tells its type`(number: UInt64, name: String) throws {
    let found = try inspect { $0.types = [(number, [])] }
    #expect(found.problemCode == nil)
    #expect(found.format.more["type"] == .text(name))
    #expect(found.format.more["updatable"] == nil)
    #expect(found.format.more["blobs"] == nil)
  }

  @Test func `every cut is refused`() throws {
    let bytes = CoreMLFixture().bytes
    for count in 0..<bytes.count {
      #expect(
        try ModelFormatsTests.inspect("m.mlmodel", Array(bytes.prefix(count))).problemCode != nil,
        "cut at \(count)"
      )
    }
  }

  @Test func `a newer specification is left unverified`() throws {
    let found = try inspect { $0.version = 99 }
    #expect(found.unverifiedCodes == [.newerVersion])
    #expect(found.minimums == [])
  }

  @Test(
    arguments: [
      (1, "11", "10.13"), (2, "11.2", "10.13.2"), (3, "12", "10.14"), (4, "13", "10.15"),
      (5, "14", "11"), (6, "15", "12"),
      (7, "16", "13"), (8, "17", "14"), (9, "18", "15"), (10, "26", "26"),
    ] as [(UInt64, String, String)]
  )
  func `the systems follow from the specification`(version: UInt64, iOS: String, macOS: String)
    throws
  {
    let found = try inspect {
      $0.version = version
      $0.types = [(500, [])]
    }
    #expect(found.minimums == ["ios \(iOS)", "macos \(macOS)"])
  }

  @Test(arguments: [("CoreML9", "26"), ("CoreML5", "15"), ("CoreML3", "15")])
  func `the greater of specification and operators counts`(opset: String, iOS: String) throws {
    #expect(try inspect { $0.opset = opset }.minimums.first == "ios \(iOS)")
  }

  @Test func `unknown operators have no minimum of their own`() throws {
    #expect(
      try inspect { $0.opset = "CoreML77" }.report.unknownToRuntimes == ["operators of CoreML77"]
    )
  }

  @Test func `weights are found in models of pipelines too`() throws {
    let inner = CoreMLFixture().bytes
    let found = try inspect { $0.types = [(202, Files.field(1, inner) + Files.field(1, inner))] }
    #expect(found.problemCode == nil)
    #expect(found.format.more["externalFiles"] == .list(["weights/weight.bin"]))
  }
}
