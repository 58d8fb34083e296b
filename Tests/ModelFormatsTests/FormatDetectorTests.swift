import Manifests
import ModelFormats
import Testing

struct FormatDetectorTests {
  @Test(
    arguments: [
      ("m.gguf", Files.gguf(), .gguf), ("m", Files.gguf(), .gguf),
      ("m.safetensors", Files.safetensors("{}"), .safetensors),
      ("m.onnx", Files.onnx(), .onnx), ("m", Files.onnx(), .onnx),
      ("m.tflite", Files.tflite(), .tflite),
      ("m.mlmodel", Files.mlmodel(), .mlmodel), ("m", Files.mlmodel(), .mlmodel),
      ("m.pt", [0x50, 0x4B, 3, 4], .pytorchZip), ("m.bin", [0x50, 0x4B, 3, 4], .pytorchZip),
      ("m.jit", [0x50, 0x4B, 3, 4], .pytorchZip), ("m.npz", [0x50, 0x4B, 3, 4], .npz),
      ("m.pt2", [0x50, 0x4B, 3, 4], .pt2),
      ("m.zip", [0x50, 0x4B, 3, 4], .zip), ("m.task", [0x50, 0x4B, 3, 4], .zip),
      ("m.pth", [0x80, 2, 0x8A], .pickle), ("m.ptd", [1, 0, 0, 0] + Array("FT01".utf8), .ptd),
      ("m.pkl", [0x28, 0x64], .pickle), ("m.litertlm", LiteRTLMTests.file(), .litertlm),
      ("m", LiteRTLMTests.file(), .litertlm),
      ("m.npy", [0x93] + Array("NUMPY".utf8), .npy),
      ("m.pte", [1, 0, 0, 0] + Array("ET12".utf8), .pte),
      ("m.bin", Array("lmgg".utf8), .ggmlLegacy),
      ("model.safetensors.index.json", Array("{\"weight_map\":{}}".utf8), .safetensorsIndex),
      ("m.xml", Array("<?xml?><net name=\"a\">".utf8), .openvinoIR),
      ("config.json", Array("{}".utf8), .other), ("LICENSE", Array("MIT".utf8), .other),
      ("m.bin", [1, 2, 3], .other), ("m.bin", [8], .other), ("x", [8, 8, 8, 8], .other),
      ("raw.bin", [8, 8, 0x12, 0x7F, 1], .other),
    ] as [(String, [UInt8], ModelFormat)]
  )
  func `the content decides`(path: String, bytes: [UInt8], format: ModelFormat) throws {
    let inspection = try inspect(path, bytes)
    #expect(inspection.format.name == format.name)
    #expect(inspection.problemCode != "formatMismatch")
  }

  @Test(
    arguments: [
      ("m.gguf", Files.safetensors("{}"), [.gguf], .safetensors),
      ("m.safetensors", Files.gguf(), [.safetensors], .gguf),
      ("m.onnx", Files.tflite(), [.onnx], .tflite), ("m.tflite", Files.onnx(), [.tflite], .onnx),
      ("m.onnx", Files.mlmodel(), [.onnx], .mlmodel),
      ("m.mlmodel", Files.onnx(), [.mlmodel], .onnx),
      ("m.GGUF", Array("GGXF....".utf8), [.gguf], .other), ("m.onnx", [0xFF, 1], [.onnx], .other),
      ("m.pt", Files.gguf(), [.pytorchZip, .pickle], .gguf), ("m.npz", [1, 2], [.npz], .other),
      ("m.safetensors", Array("xxxxxxxx{".utf8), [.safetensors], .other),
    ] as [(String, [UInt8], [ModelFormat], ModelFormat)]
  )
  func `a name that promises another format is a mismatch`(
    path: String,
    bytes: [UInt8],
    expected: [ModelFormat],
    found: ModelFormat
  ) throws {
    let problem = try inspect(path, bytes).problem
    #expect(problem?.fault == .formatMismatch(expected: expected, found: found))
  }

  @Test func `a declared format must be the one that is found`() throws {
    let source = BytesInMemory(Files.gguf())
    let path = try RelativePath("m")
    #expect(FileInspection(path, source, declared: .gguf).problem == nil)
    let problem = FileInspection(path, source, declared: .onnx).problem
    #expect(problem?.fault == .formatMismatch(expected: [.onnx], found: .gguf))
    #expect(
      problem?.text.hasPrefix("m is not onnx: its content is gguf (first bytes 47 47") == true
    )
  }

  @Test(arguments: [
    ("m.gguf", Array("GGUF".utf8), 24), ("m.gguf", Array(Files.gguf().prefix(23)), 24),
    ("m.safetensors", Array(Files.safetensors("{\"a\":1}").dropLast()), 15),
  ])
  func `a file that is cut short is named`(path: String, bytes: [UInt8], needed: UInt64) throws {
    let problem = try inspect(path, bytes).problem
    #expect(problem?.fault == .truncated(needed: needed, size: bytes.count))
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `a GGUF file tells its version`(version: UInt64) throws {
    let bytes = Files.gguf(version: version, keys: []) + [UInt8](repeating: 0, count: 8)
    #expect(try inspect("m.gguf", bytes).format.version == Int(version))
  }

  @Test func `a big-endian GGUF file says so`() throws {
    let value = Files.number(5, bytes: 8, bigEndian: true) + Array("llama".utf8)
    let bytes = Files.gguf(bigEndian: true, keys: [("general.architecture", 8, value)])
    let format = try inspect("m.gguf", bytes).format
    #expect(format.version == 3)
    #expect(format.more["endianness"] == .text("big"))
    #expect(format.architecture == "llama")
  }

  @Test func `TFLite and Core ML files tell their versions`() throws {
    #expect(try inspect("m.tflite", Files.tflite()).format.version == 3)
    #expect(try inspect("m.mlmodel", Files.mlmodel()).format.version == 8)
    let wild = [0xFF, 0xFF, 0xFF, 0x7F] + Array("TFL3".utf8)
    #expect(try inspect("m.tflite", wild).format.version == nil)
  }
}

struct BoundedReadingTests {
  private static let starts: [(String, [UInt8])] = [
    (
      "m.gguf",
      Files.gguf(keys: [("k", 9, Files.number(8, bytes: 4) + Files.number(1 << 40, bytes: 8))])
    ),
    ("m.safetensors", Files.number(4_000_000, bytes: 8) + [0x7B]), ("m.onnx", Files.onnx()),
    ("m.onnx", [0x08, 8, 0x3A] + Files.varint(1 << 39)), ("m.tflite", Files.tflite()),
    ("m", [8, 8]), ("m.pt", [0x50, 0x4B, 3, 4]),
    ("m.npy", [0x93] + Array("NUMPY".utf8) + [1, 0, 9, 9]),
    ("m.pkl", [0x80, 4]), ("m.pkl", [0x80, 4, 0x8E, 0, 0, 0, 0, 0xFF]),
    ("config.json", Array("{".utf8)), ("m.pte", [8, 0, 0, 0] + Array("ET12eh00".utf8)),
    ("A.aimodel/main.mlirb", [0x4D, 0x4C, 0xEF, 0x52, 0x0D]),
  ]

  @Test(arguments: starts)
  func `of a file of a tebibyte only the header is read`(path: String, start: [UInt8]) throws {
    let source = CountingSource(start, size: 1 << 40)
    _ = FileInspection(try RelativePath(path), source)
    #expect(source.largest <= 1 << 20)
    #expect(source.count <= 4_100_000)
  }

  private static let small: [(String, [UInt8])] = [
    (
      "m.gguf",
      Files.gguf(keys: [
        ("a", 9, Files.number(8, bytes: 4) + Files.number(1, bytes: 8) + Files.text("a"))
      ])
    ),
    ("m.safetensors", Files.safetensors("{\"a\":{\"dtype\":\"F32\"}}")), ("m.onnx", Files.onnx()),
    ("m.mlmodel", Files.mlmodel()), ("m.tflite", Files.tflite()),
    ("m.litertlm", LiteRTLMTests.file(sections: [(120, 130)], size: 130)),
    ("P.mlpackage/Manifest.json", Array("{\"rootModelIdentifier\":\"a\"}".utf8)),
    ("m.pt", ZipFixture([ZipFixture.Entry("a/data.pkl", PyTorchTests.harmless)]).bytes),
    ("m.npz", ZipFixture([ZipFixture.Entry("a.npy", NumPyTests.right)]).bytes),
    ("m.pkl", Array("\u{80}cos\nsystem\n(S'a'\ntR.".utf8)), ("m.npy", NumPyTests.right),
    ("m.xml", Array("<net version=\"11\"><a b='c'/><!--d--></net>".utf8)),
    ("config.json", Array("{\"a\": [1, \"\\u0041\", null, true]}".utf8)),
    ("A.aimodel/main.mlirb", [0x4D, 0x4C, 0xEF, 0x52, 0x0D, 0x61, 0, 0x81, 5, 3, 1, 2]),
  ]

  @Test(arguments: small)
  func `no cut and no changed byte stops the program`(path: String, bytes: [UInt8]) throws {
    for count in 0...bytes.count { _ = try inspect(path, Array(bytes.prefix(count))) }
    for index in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFE, 0xFF] {
        var changed = bytes
        changed[index] = value
        _ = try inspect(path, changed)
      }
    }
  }
}
