import Digests
import Foundation
import Glibc
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Trust
import Verification

@Suite(.temporaryFolder)
struct StampTests {
  private let bench: Bench
  private let release: SimulatedRelease

  init() throws {
    bench = try Bench()
    release = try .tiny()
    try bench.install(release)
  }

  private var stamp: String {
    get throws { bench.place("stamps/\(try bench.name(of: release).text).json") }
  }

  private func proof() throws -> ModelStatus.Proof? {
    try bench.model().status().versions.first?.proof
  }

  private func acceptedAt() throws -> Timestamp? {
    try bench.model().manifest(of: bench.name(of: release)).acceptedAt
  }

  @Test func `a stamped version needs no reading`() throws {
    let path = try bench.file("model.gguf", of: release)
    guard
      case .verified = try bench.model().check(
        bench.accepted(release),
        now: bench.now,
        report: { _ in
          Issue.record("bytes are read")
          return true
        }
      )
    else {
      Issue.record("the version is not verified")
      return
    }
    #expect(try proof() == .stamped)
    #expect(try bench.read(path) == release.contents["model.gguf"])
  }

  @Test func `a change that keeps the bytes drops the proof until they are read again`() throws {
    let path = try bench.file("config.json", of: release)
    let changes: [() throws -> Void] = [
      { try setMode(of: path, 0o644) },
      { try rewrite(path) { _ in } },
      {
        // Another inode with the same bytes.
        let folder = try bench.file("", of: release)
        try setMode(of: folder, 0o755)
        try bench.write(String(decoding: bench.read(path), as: UTF8.self), to: path)
      },
    ]
    for change in changes {
      try change()
      #expect(try proof() == .changed(firstFile: RelativePath("config.json")))
      #expect(try bench.isVerified(release, isFull: false))
      #expect(try proof() == .stamped)
    }
    let version = bench.place("versions/\(try bench.name(of: release).text)")
    #expect(try DiskTree(at: version).lines.contains("0555 files/"))
  }

  @Test func `a change of the bytes is found although size and time are as before`() throws {
    let path = try bench.file("config.json", of: release)
    try rewrite(path, keepsTime: true) { $0[2] ^= 1 }
    #expect(try proof() == .changed(firstFile: RelativePath("config.json")))
    #expect(try bench.model().status().state == .failed)
    #expect(try !bench.isVerified(release, isFull: false))
  }

  @Test func `a missing file drops the proof`() throws {
    try setMode(of: try bench.file("tokenizer", of: release), 0o755)
    try FileManager.default.removeItem(atPath: bench.file("tokenizer/merges.txt", of: release))
    #expect(try proof() == .changed(firstFile: RelativePath("tokenizer/merges.txt")))
    #expect(try !bench.isVerified(release, isFull: false))
  }

  @Test(arguments: [("", "files"), ("tokenizer/", "files/tokenizer")])
  func `an entry that does not belong to the release drops the proof, and is damage`(
    place: String,
    folder: String
  ) throws {
    let path = try bench.file(place, of: release)
    try setMode(of: path, 0o755)
    try bench.write("x", to: "\(path)more.py")
    try setMode(of: path, 0o555)
    #expect(try proof() == .changedFolder(folder))
    #expect(try bench.model().status().state == .failed)
    guard case .damaged(_, let findings) = try bench.check(release) else {
      Issue.record("the version counts as whole")
      return
    }
    #expect(findings == [FileFinding(path: "\(place)more.py", problem: .extra(.file))])
    try setMode(of: path, 0o755)
    try FileManager.default.removeItem(atPath: "\(path)more.py")
    #expect(try bench.isVerified(release, isFull: false))
    #expect(try proof() == .stamped)
  }

  @Test func `modes are those of a published version again once it was read`() throws {
    let before = try DiskTree(at: bench.path).lines
    let version = bench.place("versions/\(try bench.name(of: release).text)")
    try setMode(of: "\(version)/manifest.json", 0o666)
    try setMode(of: bench.file("config.json", of: release), 0o4777)
    try setMode(of: bench.file("model.gguf", of: release), 0)
    try setMode(of: bench.file("tokenizer", of: release), 0o777)
    #expect(try proof() == .changed(firstFile: RelativePath("config.json")))
    #expect(try bench.isVerified(release, isFull: false))
    #expect(try DiskTree(at: bench.path).lines == before)
    #expect(try proof() == .stamped)
  }

  @Test func `a second name elsewhere keeps its mode`() throws {
    let file = try bench.file("config.json", of: release)
    let other = TemporaryFolder.path("other")
    try FileManager.default.linkItem(atPath: file, toPath: other)
    try setMode(of: other, 0o640)
    #expect(try bench.isVerified(release))
    #expect(try OpenFile(readingPlainFile: other).status().mode == 0o640)
  }

  @Test func `what cannot be looked at is an error, and no damage`() async {
    await #expect(processExitsWith: .success) {
      try becomeOrdinaryUser()
      try await TemporaryFolder.withFolder {
        let tests = try StampTests()
        let folder = try tests.bench.file("tokenizer", of: tests.release)
        try setMode(of: folder, 0)
        let error = SystemError("openat2", code: EACCES, path: "tokenizer")
        #expect(throws: error) { try tests.proof() }
        #expect(throws: error) { try tests.bench.check(tests.release) }
        try setMode(of: folder, 0o555)
        #expect(try tests.bench.isVerified(tests.release, isFull: false))
      }
    }
  }

  @Test func `a lost or damaged stamp proves nothing and is written anew`() throws {
    let good = try bench.read(stamp)
    for bytes in [[], Array(good.dropLast()), [UInt8](repeating: 0, count: good.count)] {
      try rewrite(stamp) { $0 = bytes }
      #expect(try proof() == .unproven)
      #expect(try acceptedAt() == nil)
      #expect(try bench.isVerified(release, isFull: false))
      #expect(try bench.read(stamp) == good)
    }
    try Folder(path: bench.place("stamps")).removeFile("\(try bench.name(of: release).text).json")
    #expect(try proof() == .unproven)
    #expect(try bench.isVerified(release, isFull: false))
    #expect(try bench.read(stamp) == good)
  }

  @Test func `the stamp of another version proves nothing`() throws {
    let other = try SimulatedRelease.tiny("2.0.0")
    try bench.install(other)
    let foreign = try bench.read(bench.place("stamps/\(try bench.name(of: other).text).json"))
    try rewrite(stamp) { $0 = foreign }
    #expect(try proof() == .unproven)
    #expect(try bench.isVerified(release, isFull: false))
  }

  @Test func `the time of first acceptance outlives later checks`() throws {
    let later = try Timestamp("2027-01-01T00:00:00Z")
    #expect(try acceptedAt() == bench.now)
    try setMode(of: try bench.file("config.json", of: release), 0o644)
    guard
      case .verified = try bench.model().check(
        bench.accepted(release),
        now: later,
        report: { _ in true }
      )
    else {
      Issue.record("the version is not verified")
      return
    }
    #expect(try acceptedAt() == bench.now)
  }

  @Test func `a version that was killed before its stamp becomes one like all others`() throws {
    let whole = Set(try DiskTree(at: bench.path).lines)
    let version = bench.place("versions/\(try bench.name(of: release).text)")
    for folder in [version, "\(version)/files", "\(version)/files/tokenizer"] {
      try setMode(of: folder, 0o700)
    }
    try FileManager.default.removeItem(atPath: stamp)
    #expect(try bench.isVerified(release, isFull: false))
    #expect(Set(try DiskTree(at: bench.path).lines) == whole)
  }

  @Test func `a damaged manifest comes back with the version, as do new signatures`() throws {
    let version = bench.place("versions/\(try bench.name(of: release).text)")
    let manifest = "\(version)/manifest.json"
    let lines = try DiskTree(at: bench.path).lines
    try rewrite(manifest) { $0 = [] }
    #expect(try bench.isVerified(release, isFull: false))
    #expect(try bench.read(manifest) == release.manifest(signedBy: [bench.signer]))

    let second = try SimulatedSigner("second")
    let both = try release.manifest(signedBy: [bench.signer, second])
    let accepted = try bench.policy.accept(both, at: bench.now)
    guard
      case .verified = try bench.model().check(
        accepted,
        now: bench.now,
        report: { _ in true }
      )
    else {
      Issue.record("the version is not verified")
      return
    }
    #expect(try bench.read(manifest) == both)
    #expect(try DiskTree(at: bench.path).lines == lines)
  }

  @Test func `a version without manifest is damaged`() throws {
    let name = try bench.name(of: release)
    try setMode(of: bench.place("versions/\(name.text)"), 0o755)
    try FileManager.default.removeItem(atPath: bench.place("versions/\(name.text)/manifest.json"))
    // The copy that backups take stands in for it.
    #expect(
      try bench.model().manifest(of: name).envelope == release.manifest(signedBy: [bench.signer])
    )
    try FileManager.default.removeItem(atPath: bench.place("manifests/\(name.text).json"))
    #expect(throws: StoreError.damagedVersion(name)) { try bench.model().manifest(of: name) }
  }
}
