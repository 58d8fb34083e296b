import Digests
import Foundation
import Manifests
import ReleaseSimulator
import Synchronization
import SystemFiles
import TestSupport
import Testing
import Verification

/// Releases of many files of one chunk, which are checked several at once.
@Suite(.temporaryFolder)
struct SmallFilesTests {
  /// 150 files of different lengths, so that there are several runs of them, with a longer one among them.
  private func sample() throws -> SampleRelease {
    let files = try (100..<250).map { index in
      try SimulatedFile(
        "\(index).bin",
        (0..<index * 7).map { UInt8(truncatingIfNeeded: $0 ^ index) }
      )
    }
    let long = try SimulatedFile("170a.bin", [UInt8](repeating: 3, count: 200_000))
    return try SampleRelease(SimulatedRelease(files: files + [long]))
  }

  @Test(arguments: [FileCheck.Depth.everyByte, .everyByteAndWhole])
  func `a release of many small files has no findings`(depth: FileCheck.Depth) throws {
    #expect(try sample().findings(depth) == [])
  }

  @Test func `each problem of a small file is found in it, and in no other`() throws {
    let sample = try sample()
    for name in ["100.bin", "180.bin", "249.bin"] {
      var bytes = sample.bytes(of: name)
      bytes[bytes.count - 1] ^= 1
      try sample.write(bytes, to: name)
    }
    try FileManager.default.removeItem(atPath: sample.path("120.bin"))
    try sample.write([], to: "130.bin")
    try FileManager.default.removeItem(atPath: sample.path("140.bin"))
    try makeLink(at: sample.path("140.bin"), to: "141.bin")
    try FileManager.default.removeItem(atPath: sample.path("150.bin"))
    try makePipe(at: sample.path("150.bin"))
    func wrong(_ name: String) throws -> FileFinding {
      FileFinding(path: name, problem: .wrongChunks(try sample.entry(name).chunks?.chunks ?? []))
    }
    let size = sample.bytes(of: "130.bin").count
    #expect(
      try sample.findings() == [
        wrong("100.bin"),
        FileFinding(path: "120.bin", problem: .missing),
        FileFinding(path: "130.bin", problem: .wrongSize(expected: size, found: 0)),
        FileFinding(path: "140.bin", problem: .notAFile(.link)),
        FileFinding(path: "150.bin", problem: .notAFile(.other)),
        wrong("180.bin"),
        wrong("249.bin"),
      ]
    )
  }

  @Test func `a check of many small files counts all their bytes and can be stopped`() throws {
    let sample = try sample()
    let check = ReleaseCheck(try sample.release.release())
    let total = Atomic(0)
    _ = try check.findings(in: Folder(path: sample.folder)) {
      total.add($0, ordering: .relaxed)
      return true
    }
    #expect(
      total.load(ordering: .relaxed) == sample.release.files.reduce(0) { $0 + $1.bytes.count }
    )
    #expect(throws: CancellationError.self) {
      _ = try check.findings(in: Folder(path: sample.folder)) { _ in false }
    }
  }

  @Test func `the digest of a small file counts beside that of its chunk`() throws {
    let sample = try sample()
    let entry = try sample.entry("100.bin")
    let lying = FileEntry(
      path: entry.path,
      size: entry.size,
      sha256: SHA256Digest(of: []),
      role: entry.role,
      format: entry.format,
      chunks: entry.chunks
    )
    let entries = try sample.release.release().files.map { $0.path == entry.path ? lying : $0 }
    let release = try Release(
      model: sample.release.model,
      version: sample.release.version,
      released: sample.release.released,
      files: entries
    )
    let folder = try Folder(path: sample.folder)
    #expect(
      try ReleaseCheck(release, depth: .everyByteAndWhole).findings(in: folder) { _ in true } == [
        FileFinding(
          path: "100.bin",
          problem: .contradiction(signed: SHA256Digest(of: []), found: entry.sha256)
        )
      ]
    )
  }
}
