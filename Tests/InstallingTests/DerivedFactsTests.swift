import Installing
import Manifests
import ModelFormats
import ModelStore
import ReleaseSimulator
import TestSupport
import Testing
import Verification

/// What a client derives again from the bytes before a version becomes active.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct DerivedFactsTests {
  private let client: Client
  private var release: SimulatedRelease

  init() throws {
    client = try Client()
    release = try .tiny("1.0.0")
  }

  private func install(_ release: SimulatedRelease, stating runtimes: [String] = []) async throws {
    var request = try client.request(release, from: [client.localMirror(of: release)])
    request.runtimes = try runtimes.map { try RuntimeStatement($0) }
    try await client.install(request)
  }

  private func llama(_ minimum: String, because: [String] = []) throws -> RuntimeRequirement {
    try RuntimeRequirement(
      name: RuntimeName("llama.cpp"),
      scheme: .build,
      minimum: minimum,
      because: because
    )
  }

  private static func facts(_ architecture: String) -> FormatFacts {
    FormatFacts(name: FormatName(known: "gguf"), version: 3, architecture: architecture)
  }

  @Test func `facts that the bytes contradict are the publisher's fault, before activation`()
    async throws
  {
    var release = release
    release.files[0].format = Self.facts("qwen2")
    let fault = StructureFault(
      .formatFactsMismatch,
      at: 0,
      "the architecture",
      expected: "qwen2 as the manifest states",
      found: "llama"
    )
    let problem = FormatProblem(
      file: release.files[0].path,
      fault: .structure(fault),
      firstBytes: []
    )
    let finding = FileFinding(path: "model.gguf", problem: .notAModel(problem))
    let error = InstallError.unusable(release.model, release.version, [finding])
    await #expect(throws: error) { try await install(release) }
    #expect(finding.isPublishersFault)
    #expect(try client.active() == nil)
    release.files[0].format = Self.facts("llama")
    try await install(release)
    #expect(try client.active() == "1.0.0")
  }

  @Test func `a role that the bytes contradict is refused`() async throws {
    var release = release
    release.files[0].role = .projector
    await #expect(throws: InstallError.self) { try await install(release) }
    #expect(try client.versions() == [])
  }

  @Test func `a minimum below what the bytes need is raised, unless the publisher insisted`()
    async throws
  {
    var release = release
    release.runtimes = [try llama("b100")]
    do {
      try await install(release, stating: ["llama.cpp=b200"])
      Issue.record("installed")
    } catch InstallError.runtime(_, _, let verdict) {
      #expect(verdict.state == .tooOld)
      #expect(verdict.deciding?.requirement.minimum == "b1405")
    }
    #expect(try client.active() == nil)
    try await install(release, stating: ["llama.cpp=b1405"])
    #expect(try client.active() == "1.0.0")
    var forced = try SimulatedRelease.tiny("2.0.0")
    forced.runtimes = [try llama("b100", because: ["forced below b1405 (GGUF version 3 b1405)"])]
    try await install(forced, stating: ["llama.cpp=b200"])
    #expect(try client.active() == "2.0.0")
  }

  @Test func `of a release that demands nothing, a stated runtime is judged by the bytes`()
    async throws
  {
    await #expect(throws: InstallError.self) {
      try await install(release, stating: ["llama.cpp=b1404"])
    }
    try await install(release, stating: ["onnxruntime=1.0.0"])
    #expect(try client.active() == "1.0.0")
  }

  @Test func `each file that needs a stated runtime is judged by it`() async throws {
    var release = release
    release.files.append(try SimulatedFile("m.onnx", SampleModel.onnx()))
    let refused = release
    for stated in [
      ["llama.cpp=b1405", "onnxruntime=0.1.0"], ["llama.cpp=b1", "onnxruntime=9.0.0"],
    ] {
      await #expect(throws: InstallError.self) { try await install(refused, stating: stated) }
    }
    #expect(try client.active() == nil)
    try await install(release, stating: ["llama.cpp=b1405", "onnxruntime=9.0.0"])
    #expect(try client.active() == "1.0.0")
  }

  @Test func `a file's own list is raised to what its bytes need`() async throws {
    var release = release
    release.files[0].runtimes = [try llama("b100")]
    let refused = release
    await #expect(throws: InstallError.self) {
      try await install(refused, stating: ["llama.cpp=b200"])
    }
    try await install(release, stating: ["llama.cpp=b1405"])
    #expect(try client.active() == "1.0.0")
  }

  @Test func `a version that is there is judged again when it is activated`() async throws {
    var request = try client.request(release, from: [client.localMirror(of: release)])
    request.activates = false
    request.runtimes = [try RuntimeStatement("llama.cpp=b1")]
    try await client.install(request)
    request.activates = true
    let again = request
    await #expect(throws: InstallError.self) { try await client.install(again) }
    #expect(try client.active() == nil)
  }

  @Test func `a set of shards that is not whole never becomes active`() async throws {
    var release = release
    let bytes = SampleModel.safetensors()
    release.files.append(try SimulatedFile("w-00001-of-00002.safetensors", bytes))
    do {
      try await install(release)
      Issue.record("installed")
    } catch InstallError.unusable(_, _, let findings) {
      #expect(findings.map(\.code) == ["shardMismatch"])
    }
    #expect(try client.versions() == [])
  }

  @Test func `files that can run code take consent before a byte is fetched`() async throws {
    var release = release
    release.files.append(try SimulatedFile("m.pkl", [0x80, 2, 0x7D, 0x2E]))
    release.files[3].format = FormatFacts(
      name: FormatName(known: "pickle"),
      more: ["runsCode": .text("it is a pickle, and loading one can call any function")]
    )
    let mirror = try FaultyMirror(release)
    var request = try client.request(release, from: [mirror.template])
    let error = InstallError.runsCode(release.model, release.version, [release.files[3].path])
    let refused = request
    await #expect(throws: error) { try await client.install(refused) }
    #expect(mirror.requests.isEmpty)
    request.allowsCode = true
    try await client.install(request)
    #expect(try client.active() == "1.0.0")
    #expect(!mirror.requests.isEmpty)
  }
}
