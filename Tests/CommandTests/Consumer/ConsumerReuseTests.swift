import Foundation
import TestSupport
import Testing

/// Chunks that an installed version has are not fetched again.
///
/// `scripts/test-transfer` runs it with 1 GiB.
@Suite(.temporaryFolder, .timeLimit(.minutes(30)))
struct ConsumerReuseTests {
  private let size = longSetting("SEALIFT_TEST_REUSE_BYTES", else: 24 << 20)

  /// Two versions of one file that differ in one region of 1 MiB, which lies across two chunks.
  private func versions(_ home: ConsumerHome) throws -> (old: LargeRelease, new: LargeRelease) {
    let old = try LargeRelease(size, version: "1.0.0", at: home)
    let new = try LargeRelease(size, version: "1.1.0", at: home) { file in
      try file.seek(toOffset: UInt64(size / 2 + 700_000))
      try file.write(contentsOf: Data(SampleBytes(seed: 77).prefix(1 << 20)))
    }
    return (old, new)
  }

  private func install(
    _ release: LargeRelease,
    _ home: ConsumerHome
  ) async throws -> (ToolOutcome, FaultyMirror) {
    let mirror = try FaultyMirror(folder: release.folder)
    let outcome = try await home.run([
      "install", release.manifest, "--json", "--mirror", "\(mirror.url)/{name}",
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    return (outcome, mirror)
  }

  @Test func `a new version that differs in 1 MiB fetches less than 3 MiB`() async throws {
    let home = try await ConsumerHome.trusting().withAllConnections
    let (old, new) = try versions(home)
    _ = try await install(old, home)
    let (_, mirror) = try await install(new, home)
    #expect(mirror.bytesSent < 3 << 20)
    #expect(try home.oracle().active()?.version == "1.1.0")
  }

  @Test func `what an installed version has wrong is fetched, and the version stays as it is`()
    async throws
  {
    let home = try await ConsumerHome.trusting().withAllConnections
    let (old, new) = try versions(home)
    _ = try await install(old, home)
    let path = "\(try #require(try home.oracle().active()).path)/\(LargeRelease.file)"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 3 << 20)
    try file.write(contentsOf: Data("not these".utf8))
    try file.close()
    let (_, mirror) = try await install(new, home)
    #expect((3 << 20..<4 << 20).contains(mirror.bytesSent), "\(mirror.bytesSent)")
    #expect(try home.oracle().active()?.version == "1.1.0")
  }

  @Test func `another model's chunks serve too`() async throws {
    let home = try await ConsumerHome.trusting().withAllConnections
    let bytes = SampleBytes(seed: 5).prefix(4 << 20)
    var other = ConsumerRelease(model: "acme/other", files: ["base.bin": .init(bytes: bytes)])
    try await home.installed(other)
    other.model = "acme/tiny"
    other.files = ["renamed.bin": .init(bytes: bytes + [1, 2, 3])]
    let mirror = try FaultyMirror(files: ["renamed.bin": bytes + [1, 2, 3]])
    let outcome = try await home.run([
      "install", try home.publish(other, as: "tiny.json"), "--mirror", "\(mirror.url)/{name}",
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(mirror.bytesSent <= 1 << 20)
    #expect(try home.oracle().active() != nil)
  }
}
