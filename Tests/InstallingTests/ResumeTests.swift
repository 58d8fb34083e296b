import Digests
import Dispatch
import Foundation
import Installing
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Transfers
import Trust
import Verification

/// What interrupted runs leave, and what damages it meanwhile.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ResumeTests {
  private static let size = 1 << 20

  private let client: Client
  private let release: SimulatedRelease

  init() throws {
    client = try Client()
    release = try SimulatedRelease(
      "tiny",
      files: [
        SimulatedFile("a.bin", SampleBytes(seed: 1).prefix(Self.size)),
        SimulatedFile("b.bin", SampleBytes(seed: 2).prefix(Self.size), chunkLength: nil),
        SimulatedFile("c.bin", SampleBytes(seed: 3).prefix(Self.size)),
      ]
    )
  }

  /// The path of the candidate.
  private func staging(of request: InstallRequest) throws -> String {
    let version = VersionName(version: release.version, manifest: request.accepted.digest)
    return "\(client.path)/models/tiny/staging/\(version.text)"
  }

  /// The path of what the candidate has, such as `parts/0.part`.
  private func staged(_ name: String, of request: InstallRequest) throws -> String {
    "\(try staging(of: request))/\(name)"
  }

  @Test(arguments: ["a.bin", "b.bin"])
  func `a cancelled install goes on where it was`(file: String) async throws {
    let mirror = try FaultyMirror(release)
    mirror.set(.stall(after: 400_000), for: "*/\(file)")
    var request = try client.request(release, from: [mirror.template])
    request.transfer.clocks.idle = .seconds(60)
    let install = Task { try await client.install(request) }
    await mirror.wait { $0.contains { $0.path == "/1.0.0/\(file)" && $0.bytesSent == 400_000 } }
    // What was sent is not yet what has arrived.
    let places = [
      try staged("parts/0.part", of: request), try staged("tree/files/a.bin", of: request),
    ]
    let arrived = SampleBytes(seed: 1).prefix(256 * 1024)
    #expect(
      try await eventually {
        places.contains {
          FileManager.default.contents(atPath: $0)?.starts(with: arrived) ?? false
        }
      }
    )
    install.cancel()
    let error = await #expect(throws: FetchError.self) { try await install.value }
    #expect(error?.kind == .cancelled)
    #expect(try client.active() == nil)
    #expect(try client.candidates() == ["1.0.0"])

    mirror.set(.honest)
    let before = mirror.bytesSent
    let installed = try await client.install(request)
    #expect(try client.has(release))
    let report = try #require(installed.outcome.report)
    #expect(report.resumedBytes >= 256 * 1024)
    let fetched = mirror.bytesSent - before
    #expect(fetched + report.resumedBytes == 3 * Self.size)
    #expect(try client.candidates() == [])
  }

  @Test func `a stop while the bytes on disk are verified loses nothing`() async throws {
    let mirror = try FaultyMirror(release)
    let request = try client.request(release, from: [mirror.template])
    let (verifying, begun) = AsyncStream.makeStream(of: Void.self)
    let gate = Gate()
    let install = Task {
      try await client.install(request) { event in
        guard case .verifying = event else { return }
        begun.yield()
        gate.wait()
      }
    }
    for await _ in verifying { break }
    install.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await install.value }
    #expect(try client.active() == nil)
    let count = mirror.requests.count
    try await client.install(request)
    #expect(mirror.requests.count == count)
    #expect(try client.has(release))
  }

  @Test func `what was damaged in a candidate meanwhile is fetched again, and no more`()
    async throws
  {
    let mirror = try FaultyMirror(release)
    mirror.set(.status(404), for: "*/c.bin")
    let request = try client.request(release, from: [mirror.template])
    await #expect(throws: FetchError.self) { try await client.install(request) }
    let chunk = 64 * 1024
    let part = try staged("parts/0.part", of: request)
    try rewrite(part) { $0[5 * chunk] ^= 1 }
    mirror.set(.honest)
    let before = mirror.bytesSent
    let installed = try await client.install(request)
    #expect(try client.has(release))
    #expect(mirror.bytesSent - before == Self.size + chunk)
    #expect(installed.steps == ["fetching", "published", "activated"])
  }

  @Test func `bytes that go bad on disk after they arrived are fetched once more`() async throws {
    let mirror = try FaultyMirror(release)
    let request = try client.request(release, from: [mirror.template])
    let part = try staged("parts/1.part", of: request)
    let installed = try await client.install(request) { event in
      let isFirst = mirror.requests(for: "/1.0.0/b.bin").count == 1
      guard case .transfer(.verified("b.bin")) = event, isFirst else { return }
      spoil(part, at: 77)
    }
    #expect(
      installed.steps == ["fetching", "refetching", "fetching", "published", "activated"]
    )
    #expect(mirror.requests(for: "/1.0.0/b.bin").count == 2)
    #expect(mirror.requests(for: "/1.0.0/a.bin").count == 1)
    #expect(try client.has(release))
  }

  @Test func `a disk that keeps spoiling bytes ends the install, and nothing is active`()
    async throws
  {
    let mirror = try FaultyMirror(release)
    let request = try client.request(release, from: [mirror.template])
    let part = try staged("parts/0.part", of: request)
    let error = await #expect(throws: InstallError.self) {
      try await client.install(request) { event in
        guard case .transfer(.verified("a.bin")) = event else { return }
        spoil(part, at: 70_000)
      }
    }
    let chunks = try #require(release.files[0].entry.chunks?.chunks)
    let finding = FileFinding(path: "a.bin", problem: .wrongChunks([chunks[1]]))
    let folder = try staging(of: request)
    #expect(error == .damagedOnDisk(folder, [finding]))
    #expect(try client.active() == nil)
    #expect(try client.versions() == [])
  }

  @Test func `a damaged version is fetched anew and stays active`() async throws {
    let mirror = try FaultyMirror(release)
    let request = try client.request(release, from: [mirror.template])
    let first = try await client.install(request)
    try rewrite(client.file("b.bin", "1.0.0")) { $0 = [UInt8](repeating: 0, count: $0.count) }
    let second = try await client.install(request)
    #expect(second.steps == ["replacesDamaged", "fetching", "published", "activated"])
    guard case .replacesDamaged(_, let findings)? = second.events.first else { return }
    #expect(findings.map(\.path) == ["b.bin"])
    #expect(try client.has(release))
    #expect(second.outcome.record == first.outcome.record)
  }

  @Test func `a damaged version below the floor is mended while it is active`() async throws {
    let (one, two) = (try SimulatedRelease.tiny("1.0.0"), try SimulatedRelease.tiny("2.0.0"))
    try await client.install(one)
    try await client.install(two)
    try await client.rollBack()
    try rewrite(client.file("model.gguf", "1.0.0")) { $0[0] ^= 1 }
    #expect(try client.model().status().state == .failed)
    try await client.install(one)
    #expect(try client.model().status().state == .active)
    #expect(try client.active() == "1.0.0")
  }

  @Test func `what an install left that was killed after it had published goes`() async throws {
    let installed = try await client.install(release)
    let left = "\(client.path)/models/tiny/staging/\(installed.outcome.name.text)"
    _ = try Folder(creating: "\(left)/parts", mode: 0o700)
    #expect(try client.candidates() == ["1.0.0"])
    #expect(try await client.install(release).steps == ["alreadyInstalled", "activated"])
    #expect(try client.candidates() == [])
  }
}

/// Flips a byte as a bad disk does.
private func spoil(_ path: String, at offset: Int) {
  do {
    try rewrite(path) { $0[offset] ^= 1 }
  } catch {
    Issue.record(error)
  }
}

/// Holds threads back until it is opened, and lets all pass from then on.
private final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() {
    semaphore.wait()
    semaphore.signal()
  }

  func open() { semaphore.signal() }
}
