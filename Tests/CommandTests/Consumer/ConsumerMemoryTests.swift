import Foundation
import SystemFiles
import TestSupport
import Testing

/// The memory of an install does not grow with the file; `scripts/benchmark transfer` shows it for 2 GiB.
@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct ConsumerMemoryTests {
  @Test(
    .enabled(if: NginxMirror.isAvailable),
    .disabled(if: Sanitizer.isActive, "sanitizers need memory of their own")
  )
  func `an install of 256 MB stays under 64 MiB`() async throws {
    let home = try await ConsumerHome.trusting().withAllConnections
    let release = try LargeRelease(256_000_000, version: "1.0.0", at: home)
    let nginx = try await NginxMirror(folder: release.folder)
    let outcome = try await home.run([
      "install", release.manifest, "--mirror", "\(nginx.url)/{name}",
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.peakMemory < 64 << 20)
    let file = "\(release.folder)/\(LargeRelease.file)"
    let verify = try await home.run(["verify", file, "--manifest", release.manifest])
    #expect(verify.ending == .exited(0), "\(verify.errors)")
    #expect(verify.peakMemory < 64 << 20)
  }
}
