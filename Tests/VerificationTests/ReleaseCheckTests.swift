import Foundation
import Manifests
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Verification

@Suite(.temporaryFolder)
struct ReleaseCheckTests {
  private func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

  @Test func `a folder with the release and nothing else has no findings`() throws {
    #expect(try SampleRelease().findings() == [])
    #expect(try SampleRelease().findings(.everyByteAndWhole) == [])
  }

  @Test func `every problem is found, in the order of the paths`() throws {
    let sample = try SampleRelease()
    try remove(sample.path("tokenizer/merges.txt"))
    try sample.write([], to: "model.gguf")
    let size = sample.bytes(of: "model.gguf").count
    #expect(
      try sample.findings() == [
        FileFinding(path: "model.gguf", problem: .wrongSize(expected: size, found: 0)),
        FileFinding(path: "tokenizer/merges.txt", problem: .missing),
      ]
    )
  }

  @Test func `a file in the place of a folder leaves its files missing and is extra`() throws {
    let sample = try SampleRelease()
    try remove(sample.path("tokenizer"))
    try sample.write([1], to: "tokenizer")
    #expect(
      try sample.findings() == [
        FileFinding(path: "tokenizer/merges.txt", problem: .missing),
        FileFinding(path: "tokenizer", problem: .extra(.file)),
      ]
    )
  }

  @Test func `a link to the right bytes is no file`() throws {
    let sample = try SampleRelease()
    let outside = TemporaryFolder.path("outside.json")
    try FileManager.default.moveItem(atPath: sample.path("config.json"), toPath: outside)
    for target in [outside, "../outside.json", "model.gguf", "nowhere"] {
      try makeLink(at: sample.path("config.json"), to: target)
      #expect(
        try sample.findings() == [
          FileFinding(path: "config.json", problem: .notAFile(.link))
        ]
      )
      try remove(sample.path("config.json"))
    }
  }

  @Test func `a folder that is a link hides nothing, even with the right files in it`() throws {
    let sample = try SampleRelease()
    let outside = TemporaryFolder.path("outside")
    try FileManager.default.moveItem(atPath: sample.path("tokenizer"), toPath: outside)
    try makeLink(at: sample.path("tokenizer"), to: "../outside")
    #expect(
      try sample.findings() == [
        FileFinding(path: "tokenizer/merges.txt", problem: .notAFile(.link)),
        FileFinding(path: "tokenizer", problem: .extra(.link)),
      ]
    )
  }

  @Test func `a pipe in the place of a file is not waited for`() throws {
    let sample = try SampleRelease()
    try remove(sample.path("config.json"))
    try makePipe(at: sample.path("config.json"))
    #expect(
      try sample.findings() == [FileFinding(path: "config.json", problem: .notAFile(.other))]
    )
  }

  @Test func `a folder in the place of a file is no file`() throws {
    let sample = try SampleRelease()
    try remove(sample.path("config.json"))
    _ = try Folder(creating: sample.path("config.json"), mode: 0o755)
    #expect(
      try sample.findings() == [
        FileFinding(path: "config.json", problem: .notAFile(.folder)),
        FileFinding(path: "config.json", problem: .extra(.folder)),
      ]
    )
  }

  @Test func `what the manifest does not have is extra, whatever it is`() throws {
    let sample = try SampleRelease()
    for name in ["tokenizer/b.txt", ".hidden", "MODEL.gguf"] { try sample.write([1], to: name) }
    _ = try Folder(creating: sample.path("empty"), mode: 0o755)
    _ = try Folder(creating: sample.path("more/inner"), mode: 0o755)
    try makePipe(at: sample.path("pipe"))
    try makeLink(at: sample.path("link"), to: "/")
    let expected: [(String, FileStatus.Kind)] = [
      (".hidden", .file), ("MODEL.gguf", .file), ("empty", .folder), ("link", .link),
      ("more/inner", .folder), ("pipe", .other), ("tokenizer/b.txt", .file),
    ]
    #expect(
      try sample.findings() == expected.map { FileFinding(path: $0.0, problem: .extra($0.1)) }
    )
  }

  @Test func `a name that is no text is extra too`() throws {
    let sample = try SampleRelease()
    let remove = try makeFileWithoutText(in: sample.folder)
    defer { remove() }
    #expect(
      try sample.findings() == [FileFinding(path: "\u{FFFD}", problem: .extra(.other))]
    )
  }

  @Test func `the empty folder of a missing file is not extra`() throws {
    let sample = try SampleRelease()
    try remove(sample.path("tokenizer/merges.txt"))
    #expect(
      try sample.findings() == [FileFinding(path: "tokenizer/merges.txt", problem: .missing)]
    )
  }

  @Test func `a stop is no finding`() throws {
    let sample = try SampleRelease()
    let check = ReleaseCheck(try sample.release.release())
    let folder = try Folder(path: sample.folder)
    #expect(throws: CancellationError.self) {
      try check.findings(in: folder) { _ in false }
    }
  }

  @Test func `a file that its reader must not open is unreadable`() async {
    await #expect(processExitsWith: .success) {
      try becomeOrdinaryUser()
      try await TemporaryFolder.withFolder {
        let sample = try SampleRelease()
        try setMode(of: sample.path("config.json"), 0)
        let error = SystemError("openat2", code: 13, path: "config.json")
        #expect(
          try sample.findings() == [FileFinding(path: "config.json", problem: .unreadable(error))]
        )
      }
    }
  }
}
