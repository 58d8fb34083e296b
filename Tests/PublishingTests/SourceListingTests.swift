import Foundation
import Manifests
import Publishing
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct SourceListingTests {
  @Test func `a folder gives all files beneath it, in the order of their bytes`() throws {
    for name in ["release/b.bin", "release/a/z.bin", "release/B.txt", "release/a-1.bin"] {
      try write([1], to: name)
    }
    let listing = try SourceListing([TemporaryFolder.path("release")])
    #expect(listing.files.map(\.path.text) == ["B.txt", "a-1.bin", "a/z.bin", "b.bin"])
    #expect(listing.folder == TemporaryFolder.path("release"))
  }

  @Test func `a bundle keeps its folder, which a runtime loads`() throws {
    try write([1], to: "P.mlpackage/Data/model.bin")
    let folder = TemporaryFolder.path("P.mlpackage")
    for path in [folder, folder + "/"] {
      let listing = try SourceListing([path])
      #expect(listing.files.map(\.path.text) == ["P.mlpackage/Data/model.bin"])
      #expect(listing.files.map(\.place) == [folder + "/Data/model.bin"])
    }
  }

  @Test func `a slash after the folder changes nothing`() throws {
    try write([1], to: "release/a.bin")
    let folder = TemporaryFolder.path("release")
    #expect(try SourceListing([folder + "//"]) == SourceListing([folder]))
  }

  @Test func `files are in the release under their names, wherever they lie`() throws {
    let paths = [try write([1, 2], to: "one/b.bin"), try write([3], to: "two/a.bin")]
    let listing = try SourceListing(paths)
    #expect(listing.files.map(\.path.text) == ["a.bin", "b.bin"])
    #expect(listing.files.map(\.size) == [1, 2])
    #expect(listing.folder == nil)
  }

  @Test func `two files of one name collide`() throws {
    let paths = [try write([1], to: "one/a.bin"), try write([3], to: "two/A.bin")]
    #expect(throws: ManifestError.release(.pathsCollide("a.bin", "A.bin"))) {
      try SourceListing(paths)
    }
  }

  @Test func `names that differ only in case cannot lie in one release`() throws {
    try write([1], to: "release/Model.bin")
    try write([1], to: "release/model.bin")
    #expect(throws: ManifestError.release(.pathsCollide("Model.bin", "model.bin"))) {
      try SourceListing([TemporaryFolder.path("release")])
    }
  }

  @Test func `what is not there is named`() {
    let path = TemporaryFolder.path("absent/model.gguf")
    #expect(throws: PublishingError.nothingThere(path)) { try SourceListing([path]) }
  }

  @Test func `a folder stands alone`() throws {
    let file = try write([1], to: "a.bin")
    let folder = TemporaryFolder.path("release")
    try write([1], to: "release/b.bin")
    #expect(throws: PublishingError.folderAmongOthers(folder)) {
      try SourceListing([file, folder])
    }
  }

  @Test func `a folder without files is no release`() throws {
    let folder = TemporaryFolder.path("empty")
    _ = try Folder(creating: folder, mode: 0o755)
    #expect(throws: PublishingError.emptyRelease(folder: folder)) { try SourceListing([folder]) }
  }

  @Test func `everything that cannot be in a release is named at once`() async throws {
    try write([1], to: "release/good.bin")
    try write([1], to: "release/.git/config")
    try write([1], to: "release/sub/.DS_Store")
    try write([1], to: "release/sub/nul.txt")
    try write([1], to: "release/ümlaut.bin")
    let root = TemporaryFolder.path("release")
    _ = try Folder(creating: "\(root)/void", mode: 0o755)
    try Folder(path: root).replaceLink("link.bin", target: "good.bin")
    try await shell("mkfifo release/pipe")
    let unfit = [
      UnfitFile(path: "\(root)/.git", reason: .hidden),
      UnfitFile(path: "\(root)/link.bin", reason: .link),
      UnfitFile(path: "\(root)/pipe", reason: .special),
      UnfitFile(path: "\(root)/sub/.DS_Store", reason: .hidden),
      UnfitFile(path: "\(root)/sub/nul.txt", reason: .name(.deviceName("nul"))),
      UnfitFile(path: "\(root)/void", reason: .emptyFolder),
      UnfitFile(path: "\(root)/ümlaut.bin", reason: .name(.badByte(0xc3, offset: 0))),
    ]
    #expect(throws: PublishingError.unfit(unfit)) { try SourceListing([root]) }
  }

  @Test func `what is excluded is left out, whatever it is, with all that is in it`() throws {
    try write([1], to: "release/good.bin")
    try write([1], to: "release/.git/config")
    try write([1], to: "release/sub/.gitkeep")
    try write([1], to: "release/sub/notes.log")
    try Folder(path: TemporaryFolder.path("release")).replaceLink("link.bin", target: "good.bin")
    let excluded = [".git", "**/.gitkeep", "link.*", "sub/*.log"].map { PathGlob($0) }
    let listing = try SourceListing([TemporaryFolder.path("release")], excluding: excluded)
    #expect(listing.files.map(\.path.text) == ["good.bin"])
    let root = TemporaryFolder.path("release")
    let hidden = UnfitFile(path: "\(root)/sub/.gitkeep", reason: .hidden)
    #expect(throws: PublishingError.unfit([hidden])) {
      try SourceListing([root], excluding: [".git", ".gitkeep", "link.*"].map { PathGlob($0) })
    }
  }

  @Test func `a link is refused although it leads to a file`() throws {
    try write([1], to: "model.gguf")
    try Folder(path: TemporaryFolder.current).replaceLink("link.gguf", target: "model.gguf")
    let link = TemporaryFolder.path("link.gguf")
    #expect(throws: PublishingError.unfit([UnfitFile(path: link, reason: .link)])) {
      try SourceListing([link])
    }
  }

  @Test func `a pipe is refused and not waited for`() async throws {
    let path = TemporaryFolder.path("pipe")
    try await shell("mkfifo pipe")
    #expect(throws: PublishingError.unfit([UnfitFile(path: path, reason: .special)])) {
      try SourceListing([path])
    }
  }

  @Test func `a name that is not UTF-8 is refused`() async throws {
    try write([1], to: "release/good.bin")
    let root = TemporaryFolder.path("release")
    try await shell("printf x > release/\"$(printf 'bad\\377')\"")
    let unfit = [UnfitFile(path: "\(root)/bad\u{fffd}", reason: .name(.badByte(0xef, offset: 3)))]
    #expect(throws: PublishingError.unfit(unfit)) { try SourceListing([root]) }
  }

  private func shell(_ script: String) async throws {
    var shell = Tool(path: "/bin/sh")
    shell.folder = TemporaryFolder.current
    #expect(try await shell.run(["-c", script]).exitCode == 0)
  }
}
