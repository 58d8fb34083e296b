import Manifests
import ModelFormats
import Testing

struct RoleTests {
  @Test(
    arguments: [
      ("LFM2-Q4.gguf", GGUFSample().bytes, .weights), ("vocab.gguf", Files.gguf(), .vocab),
      ("mmproj.gguf", clip, .projector),
      ("model.safetensors", Files.safetensors("{}"), .weights),
      ("adapter_model.safetensors", Files.safetensors("{}"), .adapter),
      ("m.onnx", Files.onnx(), .weights), ("m.onnx_data", [1, 2], .weights),
      ("model.safetensors.index.json", [0x7B], .index),
      ("pytorch_model.bin.index.json", [0x7B], .index), ("tokenizer.json", [0x7B], .tokenizer),
      ("a/Tokenizer_Config.json", [0x7B], .tokenizer), ("tokenizer.model", [1], .tokenizer),
      ("config.json", [0x7B], .config), ("generation_config.json", [0x7B], .config),
      ("vocab.txt", [1], .vocab), ("merges.txt", [1], .vocab),
      ("chat_template.jinja", [1], .chatTemplate),
      ("LICENSE", [1], .license), ("license-mit.txt", [1], .license), ("NOTICE.md", [1], .license),
      ("README.md", [1], .card), ("x.py", [1], .other), ("licenses-list", [1], .other),
      ("M.mlpackage/Manifest.json", [0x7B], .index),
      ("M.mlpackage/Data/com.apple.CoreML/model.mlmodel", Files.mlmodel(), .weights),
      ("M.mlpackage/Data/com.apple.CoreML/weights/weight.bin", [1], .weights),
    ] as [(String, [UInt8], FileRole)]
  )
  func `a role follows the name and the content`(path: String, bytes: [UInt8], role: FileRole)
    throws
  {
    #expect(try inspect(path, bytes).role == role)
  }

  @Test func `a declared file is known by its name alone`() throws {
    let path = try RelativePath("LFM2-2.6B-Q4_K_M.gguf")
    let inspection = FileInspection(declared: path, architecture: "lfm2")
    #expect(inspection.role == .weights)
    #expect(inspection.kind == .gguf)
    #expect(
      inspection.format
        == FormatFacts(name: ModelFormat.gguf.name, architecture: "lfm2", basis: .declared)
    )
    #expect(FileInspection(declared: try RelativePath("a.pt")).kind == .other)
    #expect(FileInspection(declared: try RelativePath("a.pt"), format: .pickle).kind.canRunCode)
  }

  static let clip = Files.gguf(keys: [("general.architecture", 8, Files.text("clip"))])
}

struct CoreMLPackageTests {
  static let manifest = """
    {"fileFormatVersion":"1.0.0","itemInfoEntries":{\
    "A":{"author":"com.apple.CoreML","name":"model.mlmodel","path":"com.apple.CoreML\\/model.mlmodel"},\
    "B":{"author":"com.apple.CoreML","name":"weights","path":"com.apple.CoreML/weights"}},\
    "rootModelIdentifier":"A"}
    """

  static let names = [
    "Manifest.json", "Data/com.apple.CoreML/model.mlmodel",
    "Data/com.apple.CoreML/weights/weight.bin",
  ]

  private func package(_ names: [String]) throws -> CoreMLPackage {
    let paths = try (["a.txt"] + names.map { "x/P.mlpackage/" + $0 }).map { try RelativePath($0) }
    return try #require(CoreMLPackage.packages(in: paths).first)
  }

  @Test func `a whole package has no problem`() throws {
    let package = try package(Self.names)
    #expect(package.folder == "x/P.mlpackage")
    #expect(package.files.count == 3)
    #expect(package.missingManifest == nil)
    #expect(package.check(manifest: BytesInMemory(Array(Self.manifest.utf8))) == nil)
  }

  @Test func `files of a package have its format, unless they have one of their own`() throws {
    #expect(try inspect("P.mlpackage/Data/w/weight.bin", [1]).format.name.text == "mlpackage")
    #expect(
      try inspect("P.mlpackage/Data/m.mlmodel", Files.mlmodel()).format.name.text == "mlmodel"
    )
    #expect(try inspect("P.mlpackage", [1]).format.name.text == "other")
  }

  @Test(arguments: [1, 2]) func `an item without files is missing`(index: Int) throws {
    var names = Self.names
    names.remove(at: index)
    let package = try package(names)
    let fault = package.check(manifest: BytesInMemory(Array(Self.manifest.utf8)))?.fault
    let missing = ["", "model.mlmodel", "weights"][index]
    #expect(
      fault == .bundleIncomplete(missing: "x/P.mlpackage/Data/com.apple.CoreML/\(missing)")
    )
  }

  @Test func `a package without manifest is incomplete`() throws {
    let package = try package(Array(Self.names.dropFirst()))
    let fault = FormatFault.bundleIncomplete(missing: "x/P.mlpackage/Manifest.json")
    #expect(package.missingManifest?.fault == fault)
    #expect(package.check(manifest: BytesInMemory([]))?.fault == fault)
  }

  @Test(arguments: [
    "", "{}", "[]",
    "{\"fileFormatVersion\":\"1.0.0\",\"itemInfoEntries\":{},\"rootModelIdentifier\":\"A\"}",
    "{\"fileFormatVersion\":\"1.0.0\",\"itemInfoEntries\":{\"A\":1},\"rootModelIdentifier\":\"A\"}",
    "{\"itemInfoEntries\":{\"A\":{\"path\":\"x\"}},\"rootModelIdentifier\":\"A\"}",
  ])
  func `a manifest that does not describe a model is refused`(text: String) throws {
    let package = try package(Self.names)
    let problem = package.check(manifest: BytesInMemory(Array(text.utf8)))
    #expect(problem?.fault == .badPackageManifest)
  }
}
