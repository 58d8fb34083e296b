import Digests
import Manifests
import ModelFormats
import Publishing
import TestSupport
import Testing

/// What the publisher's program says of files before they are sealed.
@Suite(.temporaryFolder)
struct InspectedReleaseTests {
  private func draft(license: String? = nil) throws -> ReleaseDraft {
    var draft = try ReleaseDraft.sample(mirrors: ["https://h/{name}"])
    draft.license = try license.map { try License($0) }
    return draft
  }

  private func safetensors(license: String) -> [UInt8] {
    let header =
      "{\"__metadata__\":{\"license\":\"\(license)\"},"
      + "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}"
    let padded = header + String(repeating: " ", count: (8 - header.utf8.count % 8) % 8)
    let length = (0..<8).map { UInt8(truncatingIfNeeded: padded.utf8.count >> (8 * $0)) }
    return length + Array(padded.utf8) + [UInt8](repeating: 1, count: 8)
  }

  @Test(arguments: [
    ("MIT", "mit", false), ("Apache-2.0", "Apache License 2.0", false), ("MIT", "other", false),
    ("Apache-2.0", "Apache License, Version 2.0", false), ("MIT", "AGPL-3.0", true),
    ("LGPL-3.0", "GPL-3.0", true),
  ])
  func `a licence in the file that differs from the stated one is told`(
    stated: String,
    found: String,
    isTold: Bool
  ) throws {
    let path = try RelativePath("m.safetensors")
    try write(safetensors(license: found), to: path.text)
    let built = try ReleaseBuilder.build([path.text], draft(license: stated))
    let conflict = BuildWarning.licenseConflict(path, stated: try License(stated), found: found)
    #expect(built.warnings == (isTold ? [conflict] : []))
  }

  @Test func `a strict publisher refuses what others are warned about`() throws {
    var strict = try draft(license: "MIT")
    strict.consent.isStrict = true
    try write(safetensors(license: "mit"), to: "m.safetensors")
    #expect(try ReleaseBuilder.build(["m.safetensors"], strict).warnings == [])
    try write(safetensors(license: "AGPL-3.0"), to: "m.safetensors")
    try write(SampleModel.gguf() + [1], to: "m.gguf")
    for (file, code) in [("m.safetensors", "licenceConflict"), ("m.gguf", "trailingBytes")] {
      let error: PublishingError? = failure { _ = try ReleaseBuilder.build([file], strict) }
      guard case .unfit(let files) = error, case .content(let problem)? = files.first?.reason else {
        Issue.record("\(file): \(error as Any)")
        continue
      }
      #expect(problem.fault.code == code)
      strict.consent.isStrict = false
      #expect(try !ReleaseBuilder.build([file], strict).warnings.isEmpty)
      strict.consent.isStrict = true
    }
  }

  @Test func `a shard without its set is not published`() throws {
    let path = try write(safetensors(license: "mit"), to: "m-00001-of-00002.safetensors")
    let problem = FormatProblem(
      file: try RelativePath("m-00001-of-00002.safetensors"),
      fault: .structure(
        StructureFault(
          .shardMismatch,
          at: 0,
          "the set of shards",
          expected: "m-00002-of-00002.safetensors in the release",
          found: "no such file"
        )
      ),
      firstBytes: []
    )
    #expect(throws: PublishingError.unfit([UnfitFile(path: path, reason: .content(problem))])) {
      _ = try ReleaseBuilder.build(["m-00001-of-00002.safetensors"], draft())
    }
  }

  @Test func `chunks begin at the data, so that a longer header shares them`() throws {
    let header = SampleModel.gguf(elements: 700_000)
    try write(header, to: "m.gguf")
    let chunks = try #require(ReleaseBuilder.build(["m.gguf"], draft()).release.files.first?.chunks)
    #expect(chunks.chunks.first?.length == header.count - 2_800_000)
    #expect(chunks.size == header.count)
  }
}
