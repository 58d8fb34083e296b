import Digests
import Manifests
import ModelFormats
import Testing

struct AIModelTests {
  /// The five sections that every program has, of which the last is aligned.
  private static let program: [UInt8] =
    [0x4D, 0x4C, 0xEF, 0x52, 0x0D] + Array("MLIR22.0.0git\0".utf8)
    + [0x01, 0x07, 1, 2, 3, 0x02, 0x03, 1, 0x03, 0x01, 0x00, 0x03, 9]
    + [0x84, 0x05, 0x11] + [UInt8](repeating: 0xCB, count: 5) + [4, 5]
  private static let description =
    "{\"assetVersion\": \"2.0\", \"author\": \"me\", \"license\": \"MIT\", \"producer\": \"p\"}"

  private func release(_ change: (inout [String: [UInt8]]) -> Void = { _ in }) throws
    -> ReleaseFixture
  {
    var files = [
      "A.aimodel/metadata.json": Array(Self.description.utf8), "A.aimodel/main.mlirb": Self.program,
      "A.aimodel/main.hash": SHA256Digest(of: Self.program).bytes,
    ]
    change(&files)
    return try ReleaseFixture(files)
  }

  @Test func `a whole model has no fault, and tells its facts`() throws {
    let found = try release()
    #expect(found.fileProblems == [])
    #expect(found.problems == [])
    #expect(found.warnings == [])
    #expect(found.inspections.allSatisfy { $0.format.name.text == "aimodel" })
    let description = try #require(found.inspections.last)
    #expect(description.format.more["assetVersion"] == .text("2.0"))
    #expect(description.report.licenses == ["MIT"])
    #expect(description.minimums == ["coreai 27.0"])
    #expect(found.inspections[1].format.more["producer"] == .text("MLIR22.0.0git"))
  }

  @Test(
    arguments: [
      ("empty", [], "empty"), ("four bytes", Array(program.prefix(4)), "truncated"),
      ("half", Array(program.prefix(program.count / 2)), "truncated"),
      ("a byte less", Array(program.dropLast()), "truncated"),
      ("a page", Array("<!DOCTYPE html>".utf8), "htmlPage"),
      ("another magic", [1, 2, 3, 4, 5], "badMagic"),
      ("a byte more", program + [0], "truncated"),
      ("a section twice", program + [0, 1], "duplicateKey"),
      ("no section", Array(program.prefix(19)), "truncated"),
    ] as [(String, [UInt8], String)]
  )
  func `a damaged program is refused before any loader sees it`(
    name: String,
    bytes: [UInt8],
    code: String
  ) throws {
    let found = try release { $0["A.aimodel/main.mlirb"] = bytes }
    #expect(found.fileProblems == ["A.aimodel/main.mlirb \(code)"])
  }

  @Test func `the digest of the program is compared`() throws {
    #expect(
      try release { $0["A.aimodel/main.hash"]?[0] ^= 1 }.problems == [
        "A.aimodel/main.hash formatFactsMismatch"
      ]
    )
    #expect(
      try release { $0["A.aimodel/main.hash"]?.removeLast() }.problems == [
        "A.aimodel/main.hash badShape"
      ]
    )
    let missing = try release { $0["A.aimodel/main.hash"] = nil }
    #expect(missing.problems == [])
    #expect(missing.warnings == ["A.aimodel/main.mlirb bundleIncomplete"])
  }

  @Test(arguments: ["metadata.json", "main.mlirb"]) func `a part that is missing is named`(
    name: String
  ) throws {
    let found = try release { $0["A.aimodel/\(name)"] = nil }
    #expect(found.problems == ["A.aimodel/main.hash bundleIncomplete"])
  }

  /// Compiled models are for one kind of device each; an application chooses among them.
  @Test func `a compiled model tells its device and the first system that has Core AI`() throws {
    let found = try ReleaseFixture([
      "A.h17.aimodelc/main.bin": ReleaseFixture.data(64),
      "A.h17.aimodelc/metadata.json": Array("{\"assetVersion\": \"2.0\"}".utf8),
      "B.aimodelc/main.bin": ReleaseFixture.data(64),
    ])
    #expect(found.fileProblems == [])
    #expect(found.problems == [])
    #expect(found.inspections.map(\.format.name.text) == ["aimodelc", "aimodelc", "aimodelc"])
    #expect(found.inspections.map(\.minimums) == Array(repeating: ["coreai 27.0"], count: 3))
    let devices = found.inspections.map { $0.format.more["deviceArchitecture"] }
    #expect(devices == [.text("h17"), .text("h17"), nil])
  }

  @Test(
    arguments: [
      (Array("<!DOCTYPE html>".utf8), "htmlPage"), ([], "empty"),
      ([UInt8](repeating: 0, count: 64), "zeroFilled"),
    ] as [([UInt8], String)]
  )
  func `what is no model is named inside a compiled one too`(bytes: [UInt8], code: String) throws {
    let found = try ReleaseFixture(["A.h17.aimodelc/main.weights.hwx": bytes])
    #expect(found.fileProblems == ["A.h17.aimodelc/main.weights.hwx \(code)"])
  }

  @Test func `a newer version and a lost licence are noticed`() throws {
    let newer = try release {
      $0["A.aimodel/metadata.json"] = Array(
        "{\"assetVersion\": \"3.0\", \"license\": \"MIT\"}".utf8
      )
    }
    #expect(newer.inspections.last?.unverifiedCodes == [.newerVersion])
    let bare = try release {
      $0["A.aimodel/metadata.json"] = Array("{\"assetVersion\": \"2.0\", \"license\": \"\"}".utf8)
    }
    #expect(bare.inspections.last?.warningCodes == [.missingKey])
    let none = try release { $0["A.aimodel/metadata.json"] = Array("{}".utf8) }
    #expect(none.fileProblems == ["A.aimodel/metadata.json missingKey"])
  }
}
