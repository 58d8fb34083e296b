import Installing
import Manifests
import ModelFormats
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Transfers
import Trust
import Verification

/// What is refused, and that no byte is fetched for what can be refused before.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct RefusalTests {
  private let client: Client
  private let (one, two): (SimulatedRelease, SimulatedRelease)

  init() throws {
    client = try Client()
    (one, two) = (try .tiny("1.0.0"), try .tiny("2.0.0"))
  }

  private static func needsRuntime(_ release: SimulatedRelease) throws -> SimulatedRelease {
    var release = release
    release.runtimes = [
      try RuntimeRequirement(
        name: RuntimeName("llama.cpp"),
        scheme: .build,
        minimum: "b5873",
        below: "b9000",
        exclude: ["b6000"]
      )
    ]
    return release
  }

  @Test(arguments: [
    ([], RuntimeState.undetermined), (["llama.cpp="], .undetermined),
    (["llama.cpp=b5872"], .tooOld), (["llama.cpp=b9000"], .tooNew),
    (["llama.cpp=b6000"], .excluded), (["onnxruntime=1.20.0"], .otherRuntime),
  ])
  func `without a runtime that will load it nothing is fetched and nothing made`(
    stated: [String],
    state: RuntimeState
  ) async throws {
    let release = try Self.needsRuntime(one)
    let mirror = try FaultyMirror(release)
    var request = try client.request(release, from: [mirror.template])
    request.runtimes = try stated.map { try RuntimeStatement($0) }
    let verdict = try release.release().runtimeVerdict(given: request.runtimes)
    #expect(verdict.state == state)
    await #expect(throws: InstallError.runtime(release.model, release.version, verdict)) {
      try await client.install(request)
    }
    #expect(mirror.requests.isEmpty)
    #expect(try DiskTree(at: client.path).lines == ["0600 STORE.json", "0600 store.lock"])
  }

  @Test func `a file's own runtimes count like those of the release`() async throws {
    var release = one
    release.files[0].runtimes = try Self.needsRuntime(one).runtimes
    let mirror = try FaultyMirror(release)
    var request = try client.request(release, from: [mirror.template])
    let error = await #expect(throws: InstallError.self) { try await client.install(request) }
    guard case .runtime(_, _, let verdict) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(verdict.state == .undetermined)
    #expect(mirror.requests.isEmpty)
    request.runtimes = [try RuntimeStatement("llama.cpp=b5873")]
    try await client.install(request)
    #expect(try client.active() == "1.0.0")
  }

  @Test func `a runtime is asked for at activation, not for a download`() async throws {
    let release = try Self.needsRuntime(one)
    let mirror = try FaultyMirror(release)
    var request = try client.request(release, from: [mirror.template])
    request.activates = false
    try await client.install(request)
    let verdict = try release.release().runtimeVerdict(given: [])
    await #expect(throws: InstallError.runtime(release.model, release.version, verdict)) {
      try await client.activate("1.0.0")
    }
    #expect(try client.active() == nil)
    try await client.activate("1.0.0", ["llama.cpp=b5873"])
    #expect(try client.active() == "1.0.0")
  }

  @Test func `a downgrade is refused before a byte is fetched, and done when asked for`()
    async throws
  {
    try await client.install(two)
    let mirror = try FaultyMirror(one)
    var request = try client.request(one, from: [mirror.template])
    await #expect(throws: TrustError.downgrade(to: one.version, floor: two.version)) {
      try await client.install(request)
    }
    #expect(mirror.requests.isEmpty)
    #expect(try client.active() == "2.0.0")
    request.consent = .anyVersion
    try await client.install(request)
    #expect(try client.active() == "1.0.0")
    #expect(try client.versions() == ["1.0.0", "2.0.0"])
  }

  @Test func `the previous release offered as the newest is a downgrade`() async throws {
    try await client.install(one)
    try await client.install(two)
    await #expect(throws: TrustError.downgrade(to: one.version, floor: two.version)) {
      try await client.install(one)
    }
    #expect(try client.active() == "2.0.0")
  }

  @Test func `an older release may be fetched without being activated`() async throws {
    try await client.install(two)
    let mirror = try FaultyMirror(one)
    var request = try client.request(one, from: [mirror.template])
    request.activates = false
    try await client.install(request)
    #expect(try client.has(one))
    #expect(try client.active() == "2.0.0")
    await #expect(throws: TrustError.downgrade(to: one.version, floor: two.version)) {
      try await client.activate("1.0.0")
    }
    try await client.activate("1.0.0", consent: .anyVersion)
    #expect(try client.active() == "1.0.0")
  }

  @Test func `a second process is told that the model is busy and fetches nothing`() async throws {
    let mirror = try FaultyMirror(one)
    let request = try client.request(one, from: [mirror.template])
    let model = try client.model()
    let lock = try model.lockForInstall()
    await #expect(throws: StoreError.busy(one.model)) { try await client.install(request) }
    #expect(mirror.requests.isEmpty)
    withExtendedLifetime(lock) {}
  }

  @Test func `signed bytes that are no model are unusable, and nothing becomes active`()
    async throws
  {
    try await client.install(one)
    var bad = two
    bad.files[0].bytes = SampleModel.htmlPage
    let problem = FormatProblem(
      file: bad.files[0].path,
      fault: .htmlPage,
      firstBytes: Array(SampleModel.htmlPage.prefix(16))
    )
    let finding = FileFinding(path: "model.gguf", problem: .notAModel(problem))
    let request = try client.request(bad, from: [client.localMirror(of: bad)])
    await #expect(throws: InstallError.unusable(bad.model, bad.version, [finding])) {
      try await client.install(request)
    }
    #expect(try client.active() == "1.0.0")
    #expect(try client.versions() == ["1.0.0"])
  }

  @Test func `an empty file is no model file, whatever is signed`() async throws {
    var bad = one
    bad.files.append(try SimulatedFile("EMPTY", [], chunkLength: nil))
    let request = try client.request(bad, from: [client.localMirror(of: bad)])
    let problem = FormatProblem(file: try RelativePath("EMPTY"), fault: .empty, firstBytes: [])
    let finding = FileFinding(path: "EMPTY", problem: .notAModel(problem))
    await #expect(throws: InstallError.unusable(bad.model, bad.version, [finding])) {
      try await client.install(request)
    }
    #expect(try client.active() == nil)
    #expect(try client.versions() == [])
  }

  @Test
  func `where all mirrors have wrong bytes the old version stays, and nothing but a candidate`()
    async throws
  {
    try await client.install(one)
    let mirrors = [
      try FaultyMirror(two, fault: .flip(at: 5000)), try FaultyMirror(two, fault: .flip(at: 5000)),
    ]
    let request = try client.request(two, from: mirrors.map(\.template))
    let error = await #expect(throws: FetchError.self) { try await client.install(request) }
    #expect(error?.kind == .integrity)
    #expect(error?.report.mirrorsAgreeOnWrongBytes == true)
    #expect(mirrors.allSatisfy { !$0.requests.isEmpty })
    #expect(try client.active() == "1.0.0")
    #expect(try client.has(one))
    #expect(try client.versions() == ["1.0.0"])
    #expect(try client.candidates() == ["2.0.0"])
  }

  @Test func `where no mirror answers it is the network, and the old version stays`() async throws {
    try await client.install(one)
    let dead = try DeadPort()
    let mirror = try FaultyMirror(two, fault: .status(500))
    let request = try client.request(
      two,
      from: ["http://127.0.0.1:\(dead.port)/{name}", mirror.template]
    )
    let error = await #expect(throws: FetchError.self) { try await client.install(request) }
    #expect(error?.kind == .network)
    #expect(!mirror.requests.isEmpty)
    withExtendedLifetime(dead) {}
    #expect(try client.active() == "1.0.0")
    #expect(try client.candidates() == ["2.0.0"])
  }
}
