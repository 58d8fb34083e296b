import Installing
import Manifests
import ReleaseSimulator
import StrictJSON
import SystemFiles
import TestSupport
import Testing
import Transfers
import Trust

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ManifestSourceTests {
  private let manifest: [UInt8]
  private let path = TemporaryFolder.path("1.0.0.json")

  init() throws {
    manifest = try SimulatedRelease.tiny().manifest(signedBy: [SimulatedSigner("release")])
    try replaceFile(at: path, with: manifest, mode: 0o644)
  }

  @Test func `a manifest comes byte for byte from a file and from a URL`() async throws {
    let mirror = try FaultyMirror(files: ["/m.json": manifest])
    let options = FetchOptions()
    #expect(try await ManifestSource.file(path).load(options) == manifest)
    #expect(try await ManifestSource.url("file://\(path)").load(options) == manifest)
    #expect(try await ManifestSource.url(mirror.url("m.json")).load(options) == manifest)
  }

  @Test func `a manifest that is not there is not found`() async throws {
    let mirror = try FaultyMirror(files: [:])
    await #expect(throws: SystemError("open", code: 2, path: "\(path)x")) {
      try await ManifestSource.file("\(path)x").load(FetchOptions())
    }
    let error = await #expect(throws: FetchError.self) {
      try await ManifestSource.url(mirror.url("m.json")).load(FetchOptions())
    }
    #expect(error?.kind == .missing)
  }

  @Test func `a manifest longer than an envelope may be is not read`() async throws {
    try rewrite(path) { $0 = [UInt8](repeating: 0x20, count: 16 << 20 + 1) }
    let limit = 16 << 20
    let problem = JSONSyntaxError(offset: limit, problem: .tooLarge(limit: limit))
    await #expect(throws: TrustError.noEnvelope(.envelope(.syntax(problem)))) {
      try await ManifestSource.file(path).load(FetchOptions())
    }
  }
}
