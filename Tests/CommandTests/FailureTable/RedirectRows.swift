import Manifests
import ReleaseSimulator
import TestSupport
import Testing

/// Rows G of the table of known failures: redirects and names.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct RedirectRows {
  @Test(.rows("G4"))
  func `a loop of redirects is given up after five hops, and the chain is shown`() async throws {
    let trio = try await Trio(.redirectLoop)
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    #expect(trio.a.requests.count <= 3 * 6)
    let warnings = try outcome.warnings(about: trio.a.url)
    #expect(
      warnings.contains {
        $0.contains("too many redirects: \(trio.a.url)/\(Trio.file) > \(trio.a.url)/again/")
      }
    )
  }

  @Test(.rows("G5"))
  func `files whose names differ only by case are refused, signed or not`() async throws {
    let home = try await ConsumerHome.trusting()
    let release = ConsumerRelease(files: [
      "weights.bin": .random(1000), "second.bin": .random(2000, seed: 2),
    ])
    let honest = try Envelope(parsing: release.envelope(signedBy: [home.signer]))
    let text = String(decoding: honest.payload, as: UTF8.self)
      .replacing("second.bin", with: "Weights.bin")
    let signed = try home.signer.sign(Envelope(payload: Array(text.utf8))).encode()
    let outcome = try await home.run([
      "install", try home.write(signed, to: "1.0.0.json"), "--mirror",
      try home.fileMirror(release),
    ])
    #expect(outcome.ending == .exited(9), "\(outcome.errors)")
    #expect(outcome.errors.contains("Weights.bin"), "\(outcome.errors)")
    #expect(try home.oracle().active() == nil)
  }
}
