import Foundation
import Manifests
import Publishing
import Signatures
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct ManifestFileTests {
  private func envelope(_ bytes: [UInt8] = SampleModel.gguf()) throws -> Envelope {
    try write(bytes, to: "a.gguf")
    return try ReleaseBuilder.build(["a.gguf"], .sample()).envelope()
  }

  @Test func `a new manifest is written with the folders on the way, for all to read`() throws {
    let path = TemporaryFolder.path("manifests/tiny/1.0.0.json")
    #expect(try ManifestFile.write(try envelope(), to: path) == .written)
    let file = try ManifestFile(reading: path)
    #expect(try file.envelope == envelope())
    let status = try Folder(path: splitPath(path).folder).status(of: "1.0.0.json")
    #expect(status?.mode == 0o644)
  }

  @Test func `an unsigned manifest is replaced`() throws {
    let path = TemporaryFolder.path("m.json")
    let other = try envelope(SampleModel.gguf(elements: 16))
    _ = try ManifestFile.write(try envelope(), to: path)
    #expect(try ManifestFile.write(other, to: path) == .written)
    #expect(try ManifestFile(reading: path).envelope == other)
  }

  @Test func `a signed manifest keeps its signatures, and refuses another release`() throws {
    let path = TemporaryFolder.path("m.json")
    let signed = try envelope().signed(by: try sampleKey(1))
    try write(signed.encode(), to: "m.json")
    #expect(try ManifestFile.write(try envelope(), to: path) == .alreadyThere(signatures: 1))
    #expect(throws: PublishingError.signedManifestThere(path, signatures: 1)) {
      try ManifestFile.write(try envelope(SampleModel.gguf(elements: 16)), to: path)
    }
    #expect(try ManifestFile(reading: path).bytes == signed.encode())
  }

  @Test(arguments: ["text", "folder", "link"])
  func `what is no manifest is not overwritten`(kind: String) throws {
    let path = TemporaryFolder.path("m.json")
    let folder = try Folder(path: TemporaryFolder.current)
    switch kind {
    case "text": try write(Array("precious".utf8), to: "m.json")
    case "folder": try folder.createFolder("m.json", mode: 0o755)
    default: try folder.replaceLink("m.json", target: "elsewhere")
    }
    #expect(throws: PublishingError.otherFileThere(path)) {
      try ManifestFile.write(try envelope(), to: path)
    }
  }

  @Test func `replacing keeps the mode, and refuses a file that changed meanwhile`() throws {
    let path = try write(try envelope().encode(), to: "m.json")
    try Folder(path: TemporaryFolder.current).openFile("m.json").setMode(0o600)
    let file = try ManifestFile(reading: path)
    let signed = try file.envelope.signed(by: try sampleKey(1))
    try file.replace(with: signed)
    #expect(try ManifestFile(reading: path).envelope == signed)
    #expect(try Folder(path: TemporaryFolder.current).status(of: "m.json")?.mode == 0o600)
    #expect(throws: PublishingError.manifestChanged(path)) {
      try file.replace(with: try file.envelope.signed(by: try sampleKey(2)))
    }
    #expect(try ManifestFile(reading: path).envelope == signed)
  }

  @Test(arguments: 0..<20)
  func `of two who sign at once, the second is told`(round: Int) async throws {
    let path = try write(try envelope().encode(), to: "m.json")
    let file = try ManifestFile(reading: path)
    let signed = try [1, 2].map { try file.envelope.signed(by: try sampleKey($0)) }
    let count = await withTaskGroup(of: Bool.self) { group in
      for envelope in signed {
        group.addTask {
          do {
            try file.replace(with: envelope)
            return true
          } catch {
            #expect(error as? PublishingError == .manifestChanged(path))
            return false
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(count == 1)
  }

  @Test func `a manifest does not lie in the folder that it seals`() throws {
    try write([1], to: "release/sub/a.bin")
    let folder = TemporaryFolder.path("release")
    for name in ["release/m.json", "release/sub/m.json", "release/new/deep/m.json"] {
      let path = TemporaryFolder.path(name)
      #expect(throws: PublishingError.manifestInsideRelease(manifest: path, folder: folder)) {
        try ManifestPlace.check(path, isOutside: folder)
      }
    }
    for name in ["m.json", "new/m.json", "release/../m.json", "release2/m.json"] {
      #expect(throws: Never.self) {
        try ManifestPlace.check(TemporaryFolder.path(name), isOutside: folder)
      }
    }
  }

  @Test func `a manifest's place spells the slash of a model as a plus`() throws {
    let path = ManifestPlace.path(of: try ModelName("acme/tiny"), try Version("1.0.0-rc.1"))
    #expect(path == "manifests/acme+tiny/1.0.0-rc.1.json")
  }
}
