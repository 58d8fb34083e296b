import Foundation
import TestSupport
import Testing

/// Row H7 of the table of known failures: lengths over 2 GiB.
///
/// `scripts/test-transfer` sets `SEALIFT_TEST_LARGE=all`, for files of 4 GiB less and more a byte, and of 5 GiB.
@Suite(.temporaryFolder, .serialized, .timeLimit(.minutes(30)))
struct LargeFileRows {
  private static let isLong = ProcessInfo.processInfo.environment["SEALIFT_TEST_LARGE"] == "all"
  private static let sizes =
    isLong ? [(4 << 30) - 1, 4 << 30, (4 << 30) + 1, 5 << 30] : [(2 << 30) + 1]

  @Test(
    .rows("H7"),
    .enabled(if: isLong, "takes minutes; scripts/test-transfer runs it"),
    .enabled(if: NginxMirror.isAvailable),
    arguments: sizes
  )
  func `a file whose length needs more than 31 or 32 bits is installed`(size: Int) async throws {
    let home = try await ConsumerHome.trusting().withAllConnections
    let release = try LargeRelease(size, version: "1.0.0", hasHoles: true, at: home)
    let nginx = try await NginxMirror(folder: release.folder)
    let outcome = try await home.run([
      "install", release.manifest, "--json", "--mirror", "\(nginx.url)/{name}",
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.peakMemory < 64 << 20)
    let folder = try await home.run(["path", "acme/tiny"]).output.split(separator: "\n")[0]
    let cmp = try #require(Tool.installed("cmp"))
    let compared = try await cmp.run([
      "\(release.folder)/\(LargeRelease.file)", "\(folder)/\(LargeRelease.file)",
    ])
    #expect(compared.ending == .exited(0), "\(compared.output)")
    await nginx.stop()
  }
}
