import Manifests
import Publishing
import TestSupport
import Testing

/// Engines of TensorRT, which only the release that built them loads, on one kind of device.
@Suite(.temporaryFolder)
struct EngineTests {
  private func build(_ runtimes: [String], _ others: [String] = [], any: Bool = false) throws
    -> BuiltRelease
  {
    try write(SampleBytes().prefix(500), to: "m.engine")
    var draft = try ReleaseDraft.sample(mirrors: ["https://h/{sha256}"])
    draft.runtimes = try runtimes.map { try RuntimeRequirement(stated: $0) }
    draft.anyRuntimeIsEnough = any
    return try ReleaseBuilder.build(["m.engine"] + others, draft)
  }

  private static let both = ["tensorrt:10.1.0", "compute-capability:8.6"]

  private func state(of release: Release, _ statements: String...) throws -> RuntimeState {
    release.runtimeVerdict(given: try statements.map { try RuntimeStatement($0) }).state
  }

  @Test func `version and device are both demanded, each exactly`() throws {
    let release = try build(Self.both).release
    #expect(
      release.runtimes.map(\.description) == ["compute-capability = 8.6 (stated by the publisher)"]
    )
    let file = try #require(release.files.first)
    #expect(
      file.runtimes.map(\.description) == ["tensorrt = 10.1.0 (stated by the publisher)"]
    )
    let version = "tensorrt=10.1.0"
    #expect(try state(of: release, version, "compute-capability=8.6") == .satisfied)
    #expect(try state(of: release, version, "compute-capability=7.5") == .exactMismatch)
    #expect(try state(of: release, "tensorrt=10.2.0", "compute-capability=8.6") == .exactMismatch)
    #expect(try state(of: release, version) == .otherRuntime)
    #expect(try state(of: release) == .undetermined)
    let read = try Release(payload: release.encode())
    #expect(read.runtimes == release.runtimes)
    #expect(read.files.first?.runtimes == file.runtimes)
  }

  @Test(
    arguments: [
      ([], ["tensorrt", "compute-capability"]),
      (["tensorrt:10.1.0"], ["compute-capability"]),
      (["compute-capability:8.6"], ["tensorrt"]),
      (["onnxruntime:1.18.0"], ["tensorrt", "compute-capability"]),
      (["tensorrt:semver:10.1.0", "compute-capability:8.6"], ["tensorrt"]),
    ] as [([String], [String])]
  )
  func `what is not stated exactly is asked for`(stated: [String], missing: [String]) throws {
    let unknown = missing.map { "the exact \($0) that m.engine was built for" }
    #expect(throws: PublishingError.unknownRuntime(unknown)) { try build(stated) }
  }

  @Test(arguments: ["8.9", "8.6"])
  func `a second device is refused, not dropped`(other: String) throws {
    let devices = try ["8.6", other].map {
      try RuntimeRequirement(stated: "compute-capability:\($0)")
    }
    #expect(throws: PublishingError.severalDevices(devices)) {
      try build(Self.both + ["compute-capability:\(other)"])
    }
  }

  @Test func `beside another model each file keeps its own demands`() throws {
    try write(SampleModel.gguf(architecture: "lfm2"), to: "m.gguf")
    let release = try build(Self.both, ["m.gguf"]).release
    #expect(release.runtimes.map(\.name.text) == ["compute-capability"])
    let demands = release.files.map { $0.runtimes.map { "\($0.name) \($0.minimum)" } }
    #expect(demands == [["tensorrt 10.1.0"], ["llama.cpp b5873"]])
  }

  @Test func `the same model in another format is a way of its own past the version`() throws {
    try write(SampleModel.gguf(architecture: "lfm2"), to: "m.gguf")
    let release = try build(Self.both, ["m.gguf"], any: true).release
    #expect(release.runtimes.map(\.name.text) == ["compute-capability"])
    for file in release.files {
      #expect(file.runtimes.map(\.name.text) == ["tensorrt", "llama.cpp"])
    }
  }
}
