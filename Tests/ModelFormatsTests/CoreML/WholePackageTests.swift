import Manifests
import ModelFormats
import Testing

struct WholePackageTests {
  private static let manifest = """
    {"fileFormatVersion": "1.0.0", "rootModelIdentifier": "A", "itemInfoEntries": {\
    "A": {"path": "com.apple.CoreML/model.mlmodel", "name": "model.mlmodel", "author": "com.apple.CoreML"},\
    "B": {"path": "com.apple.CoreML/weights", "name": "weights", "author": "com.apple.CoreML"}}}
    """

  private func release(_ change: (inout [String: [UInt8]]) -> Void = { _ in }) throws
    -> ReleaseFixture
  {
    var fixture = CoreMLFixture()
    fixture.blobs.append(("@model_path/weights/weight.bin", 192))
    var files = [
      "P.mlpackage/Manifest.json": Array(Self.manifest.utf8),
      "P.mlpackage/Data/com.apple.CoreML/model.mlmodel": fixture.bytes,
      "P.mlpackage/Data/com.apple.CoreML/weights/weight.bin": CoreMLFixture.weights(2),
    ]
    change(&files)
    return try ReleaseFixture(files)
  }

  private static let model = "P.mlpackage/Data/com.apple.CoreML/model.mlmodel"
  private static let weights = "P.mlpackage/Data/com.apple.CoreML/weights/weight.bin"

  @Test func `a whole package has no fault`() throws {
    let found = try release()
    #expect(found.fileProblems == [])
    #expect(found.problems == [])
    #expect(found.inspections.map(\.format.name.text) == ["mlmodel", "mlpackage", "mlpackage"])
  }

  private static let broken: [ChangedFixture<[String: [UInt8]], [String]>] = [
    ChangedFixture("weights absent", ["\(model) externalFileMissing", "\(model) bundleIncomplete"])
    { $0[weights] = nil },
    ChangedFixture("weights cut by a byte", ["\(weights) outOfBounds"]) {
      $0[weights]?.removeLast()
    },
    ChangedFixture("a record without its mark", ["\(weights) badMagic"]) { $0[weights]?[64] = 0 },
    ChangedFixture("a record beyond the end", ["\(weights) outOfBounds"]) {
      $0[weights]?[72] = 0xFF; $0[weights]?[79] = 0x7F
    },
    ChangedFixture("fewer records than places", ["\(weights) countTooLarge"]) {
      $0[weights]?[0] = 1
    },
    ChangedFixture("another version of weights", ["\(weights) unsupportedVersion"]) {
      $0[weights]?[4] = 9
    },
    ChangedFixture("no manifest", ["\(model) bundleIncomplete"]) {
      $0["P.mlpackage/Manifest.json"] = nil
    },
    ChangedFixture("a manifest without a root", ["P.mlpackage/Manifest.json badEncoding"]) {
      $0["P.mlpackage/Manifest.json"] = Array("{\"fileFormatVersion\": \"1.0.0\"}".utf8)
    },
    ChangedFixture("a file of no item", ["P.mlpackage/Data/extra.bin bundleExtraFile"]) {
      $0["P.mlpackage/Data/extra.bin"] = [1, 2]
    },
  ]

  @Test(arguments: broken)
  func `a package that is not whole is refused`(
    changed: ChangedFixture<[String: [UInt8]], [String]>
  ) throws {
    #expect(try release(changed.change).problems == changed.outcome)
  }

  @Test func `a page in place of a file is named, inside a bundle too`() throws {
    let release = try ReleaseFixture([
      "M.mlmodelc/coremldata.bin": Array("<!DOCTYPE html>".utf8),
      "M.mlmodelc/model.mil": Array("program(1.0)".utf8),
    ])
    #expect(release.fileProblems == ["M.mlmodelc/coremldata.bin htmlPage"])
    #expect(release.inspections.last?.format.name.text == "mlmodelc")
  }

  @Test func `a compiled model without its data is incomplete`() throws {
    let release = try ReleaseFixture(["M.mlmodelc/model.mil": Array("program(1.0)".utf8)])
    #expect(release.problems == ["M.mlmodelc/model.mil bundleIncomplete"])
    let pipeline = try ReleaseFixture([
      "M.mlmodelc/model0/coremldata.bin": [1], "M.mlmodelc/metadata.json": Array("[]".utf8),
    ])
    #expect(pipeline.problems == [])
  }
}
