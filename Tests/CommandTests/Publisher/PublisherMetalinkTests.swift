import Foundation
import Manifests
import TestSupport
import Testing

/// The Metalink of a release, as aria2 uses it.
@Suite(
  .temporaryFolder,
  .timeLimit(.minutes(10)),
  .enabled(if: Tool.installed("aria2c") != nil, "needs aria2")
)
struct PublisherMetalinkTests {
  private static let weights = SampleModel.gguf() + SampleBytes(seed: 21).prefix(5 << 20)

  private func mirror(_ fault: Fault = .honest) throws -> FaultyMirror {
    try FaultyMirror(files: ["/w.gguf": Self.weights], fault)
  }

  /// Seals the weights, and writes `m.meta4` with these mirrors.
  private func export(_ mirrors: [FaultyMirror]) async throws {
    try place(Self.weights, at: "w.gguf")
    let built = try await publish(
      ["build", "w.gguf", "--model", "tiny", "--version", "1.0.0", "--output", "m.json"]
        + mirrors.flatMap { ["--mirror", $0.url("/{name}")] }
    )
    try #require(built.exitCode == 0, "\(built.errors)")
    let outcome = try await publish(
      "export",
      "--files",
      ".",
      "m.json",
      "--format",
      "metalink",
      "--output",
      "m.meta4"
    )
    try #require(outcome.exitCode == 0, "\(outcome.errors)")
  }

  private func download() async throws -> ToolOutcome {
    var aria2 = try #require(Tool.installed("aria2c"))
    aria2.folder = TemporaryFolder.current
    aria2.environment = aria2.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
    aria2.timeout = .seconds(300)
    return try await aria2.run([
      "-q", "--no-conf", "--allow-overwrite=true", "--auto-file-renaming=false",
      // Its mirrors are told apart by host names, and these have one.
      "--file-allocation=none", "--metalink-enable-unique-protocol=false", "-x1", "-s3", "-k1M",
      "--max-tries=2", "--retry-wait=0", "-M", "m.meta4", "-d", "got",
    ])
  }

  @Test func `aria2 fetches the file from several mirrors`() async throws {
    let mirrors = [try mirror(), try mirror(), try mirror()]
    try await export(mirrors)
    let outcome = try await download()
    #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
    #expect(try contents("got/w.gguf") == Self.weights)
    #expect(mirrors.contains { !$0.requests.isEmpty })
  }

  @Test func `aria2 gets the right bytes although one of the mirrors lies`()
    async throws
  {
    let mirrors = [try mirror(.flip(at: 3 << 20)), try mirror(), try mirror()]
    try await export(mirrors)
    let outcome = try await download()
    #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
    #expect(try contents("got/w.gguf") == Self.weights)
    withExtendedLifetime(mirrors) {}
  }

  @Test func `aria2 finds a lying mirror by the pieces`() async throws {
    let mirrors = [try mirror(.flip(at: 3 << 20))]
    try await export(mirrors)
    #expect(try await download().exitCode != 0)
    withExtendedLifetime(mirrors) {}
  }
}
