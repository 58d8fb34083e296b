import Digests
import Foundation
import StrictJSON
import SystemFiles
import TestSupport
import Testing

/// A damaged version is made whole with the bytes that are wrong, and nobody who reads it sees it change.
///
/// `scripts/test-transfer repair` runs it with 2 GiB.
@Suite(.temporaryFolder, .timeLimit(.minutes(30)))
struct ConsumerRepairTests {
  private let size = longSetting("SEALIFT_TEST_REPAIR_BYTES", else: 8 << 20)

  /// A client with one version of one large file, and the mirror from which it came.
  private func installed() async throws -> (ConsumerHome, LargeRelease, FaultyMirror) {
    let home = try await ConsumerHome.trusting()
    let release = try LargeRelease(size, version: "1.0.0", at: home)
    try await install(release, home)
    return (home, release, try FaultyMirror(folder: release.folder))
  }

  private func install(_ release: LargeRelease, _ home: ConsumerHome) async throws {
    let mirror = "file://\(release.folder)/{name}"
    let outcome = try await home.run(["install", release.manifest, "--mirror", mirror])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
  }

  /// The path of the large file of the active version.
  private func file(_ home: ConsumerHome) throws -> String {
    "\(home.oracle().folder)/versions/\(try activeFolder(home))/files/\(LargeRelease.file)"
  }

  private func activeFolder(_ home: ConsumerHome) throws -> String {
    guard case .good(let record)? = try StoreSnapshot(of: home.store).models["acme+tiny"]?.record
    else { return "none" }
    return record.active
  }

  /// Flips one bit in the middle of each of these chunks, in place.
  private func flip(chunks: [Int], of path: String) throws {
    try setMode(of: path, 0o644)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    for chunk in chunks {
      let place = UInt64(chunk << 20 + 4321)
      try file.seek(toOffset: place)
      let byte = try #require(try file.read(upToCount: 1)?.first)
      try file.seek(toOffset: place)
      try file.write(contentsOf: Data([byte ^ 4]))
    }
    try file.close()
    try setMode(of: path, 0o444)
  }

  private func ranges(_ chunks: [Int]) -> [String] {
    chunks.map { "bytes=\($0 << 20)-\(($0 + 1) << 20 - 1)" }
  }

  private func summary(_ outcome: ToolOutcome) throws -> JSONObject {
    try #require(try outcome.events().last { $0["event"] == "summary" })
  }

  @Test func `of three flipped bytes three chunks are fetched, and the version is whole`()
    async throws
  {
    let (home, release, mirror) = try await installed()
    let path = try file(home)
    let before = try home.oracle().active()
    let inode = try OpenFile(reading: path).status().identity
    try flip(chunks: [1, 4, 6], of: path)
    let repair = ["repair", "acme/tiny", "--mirror", "\(mirror.url)/{name}", "--json"]
    let outcome = try await home.run(repair)
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(mirror.requests.map(\.range).sorted { $0 ?? "" < $1 ?? "" } == ranges([1, 4, 6]))
    #expect(mirror.bytesSent == 3 << 20)
    let found = try summary(outcome)
    #expect(found["fetchedBytes"] == .integer(3 << 20))
    #expect(found["reusedBytes"] == .integer(Int64(size - 3 << 20)))
    #expect(found["findings"] == .integer(1))
    #expect(try home.oracle().active() == before)
    #expect(try OpenFile(reading: path).status().identity != inode)
    let verified = try await home.run([
      "verify", splitPath(path).folder, "--manifest", release.manifest, "--full-hash",
    ])
    #expect(verified.ending == .exited(0), "\(verified.errors)")
    #expect(try await home.run(["doctor"]).ending == .exited(0))
    // The old file is not gone.
    var trash: String?
    if case .string(let path)? = found["replaced"] { trash = path }
    let old = try OpenFile(reading: "\(try #require(trash))/files/\(LargeRelease.file)").status()
    #expect(old.identity == inode)

    let again = try await home.run(repair)
    #expect(again.ending == .exited(0), "\(again.errors)")
    #expect(try summary(again)["findings"] == .integer(0))
    #expect(mirror.requests.count == 3)
    #expect(home.oracle().litter.isEmpty && home.oracle().candidates.isEmpty)
  }

  @Test func `what another version has is not fetched, and no mirror is needed`() async throws {
    let home = try await ConsumerHome.trusting()
    let old = try LargeRelease(size, version: "1.0.0", at: home)
    let new = try LargeRelease(size, version: "1.1.0", at: home) { file in
      try file.seek(toOffset: 5 << 20)
      try file.write(contentsOf: Data(SampleBytes(seed: 77).prefix(1 << 20)))
    }
    try await install(old, home)
    try await install(new, home)
    // The mirror of the install is no longer there.
    try Folder(path: home.folder).removeTree("served-1.1.0")
    let path = try file(home)
    try flip(chunks: [0, 3], of: path)
    let outcome = try await home.run(["repair", "acme/tiny", "--json"])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(try summary(outcome)["fetchedBytes"] == .integer(0))
    #expect(try home.oracle().active()?.version == "1.1.0")

    // The chunk that only this version had.
    try flip(chunks: [2, 5], of: path)
    let before = try DiskTree(at: splitPath(path).folder)
    let plan = try await home.run(["repair", "acme/tiny", "--dry-run"])
    #expect(plan.ending == .exited(0), "\(plan.errors)")
    let chunk = "1,048,576 bytes (1.0 MiB)"
    #expect(
      plan.output.hasPrefix(
        "weights.bin: \(chunk) from mirrors, \(chunk) from other installed files, "
      )
    )
    let failed = try await home.run(["repair", "acme/tiny"])
    #expect(failed.ending == .exited(2), "\(failed.errors)")
    #expect(try DiskTree(at: splitPath(path).folder) == before)
    #expect(try await home.run(["status"]).output.contains("1.1.0 is damaged\n"))
  }

  @Test func `who has the old file open or mapped goes on reading the old bytes`() async throws {
    let (home, _, mirror) = try await installed()
    let path = try file(home)
    try flip(chunks: [2], of: path)
    let reader = try OpenFile(reading: path)
    let mapped = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
    let old = try reader.readBlock(count: 64, at: 2 << 20 + 4300)
    let outcome = try await home.run(["repair", "acme/tiny", "--mirror", "\(mirror.url)/{name}"])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(try reader.readBlock(count: 64, at: 2 << 20 + 4300) == old)
    #expect(Array(mapped[(2 << 20 + 4300)...].prefix(64)) == old)
    let new = try OpenFile(reading: path).readBlock(count: 64, at: 2 << 20 + 4300)
    #expect(new != old && new.count == 64)
    #expect(mirror.requests.count == 1)
  }

  @Test func `a mirror with wrong bytes costs nothing but time`() async throws {
    let (home, _, mirror) = try await installed()
    let path = try file(home)
    try flip(chunks: [4], of: path)
    mirror.set(.flip(at: 4 << 20 + 5))
    let before = try DiskTree(at: splitPath(path).folder)
    let repair = ["repair", "acme/tiny", "--mirror", "\(mirror.url)/{name}"]
    try await home.run(repair).expectRefusal(
      5,
      "weights.bin: every mirror serves wrong bytes",
      help: "name a better mirror with --mirror, or tell the publisher"
    )
    #expect(try DiskTree(at: splitPath(path).folder) == before)
    mirror.set(.honest)
    let count = mirror.requests.count
    let outcome = try await home.run(repair)
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(mirror.requests.dropFirst(count).map(\.range) == ranges([4]))
    #expect(try home.oracle().active()?.version == "1.0.0")
  }

  @Test func `a dry run tells what would be done, and does nothing`() async throws {
    let (home, _, mirror) = try await installed()
    let path = try file(home)
    try flip(chunks: [0, 7], of: path)
    let before = try DiskTree(at: home.store)
    let outcome = try await home.run([
      "repair", "acme/tiny@1.0.0", "--dry-run", "--json", "--mirror", "\(mirror.url)/{name}",
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    let events = try outcome.events()
    let finding = try #require(events.first { $0["event"] == "finding" })
    #expect(finding["file"] == "weights.bin" && finding["verdict"] == "modified")
    let file = try #require(events.first { $0["event"] == "file" })
    #expect(file["fetchedBytes"] == .integer(2 << 20))
    #expect(file["ownBytes"] == .integer(Int64(size - 2 << 20)))
    #expect(file["installedBytes"] == .integer(0))
    #expect(try summary(outcome)["dryRun"] == true)
    #expect(mirror.requests == [])
    #expect(try DiskTree(at: home.store) == before)
  }
}
