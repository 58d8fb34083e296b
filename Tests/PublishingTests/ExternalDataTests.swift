import Foundation
import Manifests
import ModelFormats
import Publishing
import SystemFiles
import TestSupport
import Testing

/// Data beside a model, as it lies in the folder of a publisher.
@Suite(.temporaryFolder)
struct ExternalDataTests {
  private let floats = SampleBytes().prefix(4_000)

  private func build() throws -> BuiltRelease {
    var draft = try ReleaseDraft.sample(mirrors: ["https://h/{sha256}"])
    draft.runtimes = []
    return try ReleaseBuilder.build(["release"], draft)
  }

  private func writeModel(at location: String) throws {
    try write(SampleModel.onnx(elements: 1_000, external: location), to: "release/m.onnx")
  }

  @Test(arguments: ["w.bin", "sub/w.bin"])
  func `data in files of the release is published`(location: String) throws {
    try writeModel(at: location)
    try write(floats, to: "release/\(location)")
    let built = try build()
    #expect(built.release.files.map(\.path.text) == ["m.onnx", location])
    #expect(built.release.files[0].format.more["externalFiles"] == .list([location]))
  }

  @Test func `a link that leaves the folder is refused before anything follows it`() throws {
    try writeModel(at: "w.bin")
    try write(floats, to: "outside.bin")
    try Folder(path: TemporaryFolder.path("release"))
      .replaceLink("w.bin", target: "../outside.bin")
    let link = UnfitFile(path: TemporaryFolder.path("release/w.bin"), reason: .link)
    #expect(throws: PublishingError.unfit([link])) { try build() }
  }

  @Test func `a folder that is a link is refused as well`() throws {
    try writeModel(at: "sub/w.bin")
    try write(floats, to: "outside/w.bin")
    try Folder(path: TemporaryFolder.path("release")).replaceLink("sub", target: "../outside")
    let link = UnfitFile(path: TemporaryFolder.path("release/sub"), reason: .link)
    #expect(throws: PublishingError.unfit([link])) { try build() }
  }

  /// The checker of ONNX opens no data that has another name on the disk, by which it could change.
  @Test func `data with a second name on the disk is refused, and other files may have one`() throws
  {
    try writeModel(at: "w.bin")
    let data = try write(floats, to: "release/w.bin")
    let model = TemporaryFolder.path("release/m.onnx")
    try FileManager.default.linkItem(atPath: model, toPath: TemporaryFolder.path("m-too.onnx"))
    #expect(try build().release.files.count == 2)
    try FileManager.default.linkItem(atPath: data, toPath: TemporaryFolder.path("w-too.bin"))
    let fault = StructureFault(
      .externalPathUnsafe,
      at: 0,
      "the data beside m.onnx",
      expected: "a file with one name on the disk",
      found: "2 hard links"
    )
    let problem = FormatProblem(
      file: try RelativePath("w.bin"),
      fault: .structure(fault),
      firstBytes: []
    )
    let unfit = UnfitFile(path: data, reason: .content(problem))
    #expect(throws: PublishingError.unfit([unfit])) { try build() }
  }
}
