import Digests
import Foundation
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Trust
import Verification

@Suite(.temporaryFolder)
struct PublishTests {
  private let bench: Bench
  private let release: SimulatedRelease

  init() throws {
    bench = try Bench()
    release = try .tiny()
  }

  private func staged(_ name: String) throws -> String {
    bench.place("staging/\(try bench.name(of: release).text)/tree/files/\(name)")
  }

  @Test(arguments: [true, false])
  func `a file that is exchanged or changed after it was verified is not published as right`(
    isSameInode: Bool
  ) throws {
    let model = try bench.model()
    let lock = try model.lockForInstall()
    var candidate = try model.candidate(for: bench.accepted(release), holding: lock)
    try bench.fill(candidate, from: release)
    try bench.seal(&candidate)
    let path = try staged("config.json")
    if isSameInode {
      try rewrite(path) { $0[0] ^= 1 }
    } else {
      try bench.write(String(decoding: bench.read(path), as: UTF8.self), to: path)
    }
    #expect(throws: StoreError.swapped(try RelativePath("config.json"))) {
      try model.publish(candidate, acceptedAt: bench.now)
    }
    #expect(try model.recordState() == .absent)
    #expect(try model.status().versions.map(\.proof) == [.unproven])
    #expect(try bench.isVerified(release) == !isSameInode)
  }

  @Test func `a damaged version changes places with a whole one, and stays active`() throws {
    let record = try bench.install(release)
    let whole = Set(try DiskTree(at: bench.path).lines)
    try rewrite(bench.file("model.gguf", of: release)) { $0[5_000] ^= 1 }
    guard case .damaged(let name, let findings) = try bench.check(release) else {
      Issue.record("the damage is not found")
      return
    }
    #expect(name == (try bench.name(of: release)))
    #expect(findings.map(\.path) == ["model.gguf"] && findings.map(\.code) == ["modified"])
    try bench.publish(release)
    #expect(try bench.isVerified(release, isFull: false))
    #expect(try bench.isVerified(release))
    #expect(try bench.model().activeRecord() == record)
    #expect(try bench.model().status().state == .active)
    #expect(Set(try DiskTree(at: bench.path).lines) == whole)
  }

  @Test func `a version that lost a file, or all of them, is damaged and replaced`() throws {
    try bench.install(release)
    let version = bench.place("versions/\(try bench.name(of: release).text)")
    for name in ["files/config.json", "files"] {
      try setMode(of: version, 0o755)
      try setMode(of: "\(version)/files", 0o755)
      try FileManager.default.removeItem(atPath: "\(version)/\(name)")
      #expect(try !bench.isVerified(release, isFull: false))
      try bench.publish(release)
      #expect(try bench.isVerified(release))
    }
  }

  @Test func `a candidate of the same manifest is taken up again`() throws {
    let model = try bench.model()
    let lock = try model.lockForInstall()
    do {
      var killed = try model.candidate(for: bench.accepted(release), holding: lock)
      try bench.fill(killed, from: release)
      // One file got its final name, the others are parts.
      #expect(try killed.seal(0, depth: .everyByte) { _ in true } == nil)
    }
    // What a process leaves that is killed while it writes the manifest.
    let tree = bench.place("staging/\(try bench.name(of: release).text)/tree")
    try bench.write("torn", to: "\(tree)/manifest.json.0123456789abcdef0123456789abcdef")
    var candidate = try model.candidate(for: bench.accepted(release), holding: lock)
    #expect(try candidate.incompleteFiles() == [1, 2])
    #expect(try candidate.isComplete(0))
    try bench.seal(&candidate)
    _ = try model.publish(candidate, acceptedAt: bench.now)
    #expect(try bench.isVerified(release))
    let version = bench.place("versions/\(try bench.name(of: release).text)")
    #expect(try Folder(path: version).entries().map(\.name) == ["files", "manifest.json"])
  }

  @Test func `candidates of other manifests are kept apart`() throws {
    var other = release
    other.details.title = "other"
    let model = try bench.model()
    let lock = try model.lockForInstall()
    for release in [release, other] {
      let candidate = try model.candidate(for: bench.accepted(release), holding: lock)
      #expect(try candidate.incompleteFiles() == [0, 1, 2])
      try bench.fill(candidate, from: release)
    }
    let names = [try bench.name(of: release), try bench.name(of: other)]
    #expect(Set(try model.candidateNames()) == Set(names))
    try model.reconcile(holding: lock, now: bench.now)
    #expect(Set(try model.candidateNames()) == Set(names))
  }

  @Test func `a part that is wrong on disk is removed, whatever it is called by then`() throws {
    let model = try bench.model()
    let lock = try model.lockForInstall()
    do {
      var candidate = try model.candidate(for: bench.accepted(release), holding: lock)
      try bench.fill(candidate, from: release)
      #expect(try candidate.seal(0, depth: .everyByte) { _ in true } == nil)
    }
    let parts = bench.place("staging/\(try bench.name(of: release).text)/parts")
    try rewrite(try staged("config.json")) { $0[0] ^= 1 }
    try rewrite("\(parts)/1.part") { $0.removeLast() }
    var candidate = try model.candidate(for: bench.accepted(release), holding: lock)
    #expect(try candidate.seal(0, depth: .everyByte) { _ in true } != nil)
    #expect(try candidate.seal(1, depth: .everyByte) { _ in true } != nil)
    #expect(try candidate.seal(2, depth: .everyByte) { _ in true } == nil)
    #expect(try candidate.incompleteFiles() == [0, 1])
    #expect(try Folder(path: parts).entries().isEmpty)
  }

  @Test func `space is needed for what is missing and not for what is there`() throws {
    let model = try bench.model()
    let lock = try model.lockForInstall()
    let candidate = try model.candidate(for: bench.accepted(release), holding: lock)
    #expect(try candidate.missingBytes() == (try release.release().size))
    try model.requireSpace(for: candidate, now: bench.now)
    try bench.fill(candidate, from: release)
    #expect(try candidate.missingBytes() == 0)
  }

  @Test func `a release larger than the disk is refused before a byte of it`() throws {
    let huge = FileEntry(
      path: try RelativePath("a.bin"),
      size: FileEntry.maximumSize,
      sha256: .ofNothing
    )
    let release = try Release(
      model: ModelName("tiny"),
      version: Version("1.0.0"),
      released: bench.now,
      files: [huge]
    )
    let bytes = try Envelope(release: release).signed(by: [bench.signer]).encode()
    let model = try bench.model()
    let lock = try model.lockForInstall()
    let candidate = try model.candidate(
      for: bench.policy.accept(bytes, at: bench.now),
      holding: lock
    )
    let error = #expect(throws: StoreError.self) {
      try model.requireSpace(for: candidate, now: bench.now)
    }
    guard case .notEnoughSpace(let needed, let free) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(needed > FileEntry.maximumSize && free < needed)
    #expect(try candidate.missingBytes() == FileEntry.maximumSize)
  }
}
