import Manifests
import Publishing
import TestSupport
import Testing

/// A release of files that no one runtime loads: no need of any file is lost.
@Suite(.temporaryFolder)
struct SeveralRuntimesTests {
  private func build(
    _ files: [String: [UInt8]],
    _ runtimes: [String] = [],
    anyIsEnough: Bool = false
  ) throws -> BuiltRelease {
    for (name, bytes) in files { try write(bytes, to: name) }
    var draft = try ReleaseDraft.sample(mirrors: ["https://h/{sha256}"])
    draft.runtimes = try runtimes.map { try RuntimeRequirement(stated: $0) }
    draft.anyRuntimeIsEnough = anyIsEnough
    return try ReleaseBuilder.build(files.keys.sorted(), draft)
  }

  private let both = [
    "a.gguf": SampleModel.gguf(architecture: "lfm2"), "b.onnx": SampleModel.onnx(),
  ]

  /// The minimums that each file demands by itself, and those of the release.
  private func minimums(_ built: BuiltRelease) -> [[String]] {
    let lists = [built.release.runtimes] + built.release.files.map(\.runtimes)
    return lists.map { $0.map { "\($0.name) \($0.minimum)" } }
  }

  private func state(_ built: BuiltRelease, _ stated: [String]) throws -> RuntimeState {
    let statements = try stated.map { try RuntimeStatement($0) }
    return built.release.runtimeVerdict(given: statements).state
  }

  @Test func `each file demands its runtime, and a client must have them all`() throws {
    let built = try build(both)
    let onnx = try #require(built.release.files.last?.runtimes.first)
    #expect(onnx.name.text == "onnxruntime")
    #expect(minimums(built) == [[], ["llama.cpp b5873"], ["onnxruntime \(onnx.minimum)"]])
    #expect(try state(built, ["onnxruntime=9.0.0"]) == .otherRuntime)
    #expect(try state(built, ["llama.cpp=b5873"]) == .otherRuntime)
    #expect(try state(built, ["llama.cpp=b1", "onnxruntime=9.0.0"]) == .tooOld)
    #expect(try state(built, ["llama.cpp=b5873", "onnxruntime=9.0.0"]) == .satisfied)
    guard case .severalRuntimes(let needs)? = built.warnings.last else {
      Issue.record("\(built.warnings)")
      return
    }
    #expect(needs.map(\.file.text) == ["a.gguf", "b.onnx"])
  }

  @Test func `one model in several formats takes one of them, if its publisher says so`() throws {
    let built = try build(both, anyIsEnough: true)
    #expect(built.release.runtimes.map(\.name.text) == ["llama.cpp", "onnxruntime"])
    #expect(built.release.files.flatMap(\.runtimes) == [])
    #expect(built.warnings == [])
    #expect(try state(built, ["onnxruntime=9.0.0"]) == .satisfied)
  }

  @Test func `files of one runtime share one list`() throws {
    let built = try build([
      "a.gguf": SampleModel.gguf(architecture: "lfm2"), "b.gguf": SampleModel.gguf(),
    ])
    #expect(minimums(built) == [["llama.cpp b5873"], [], []])
    #expect(built.warnings == [])
  }

  @Test func `a statement raises what its runtime is needed for, and another one adds to all`()
    throws
  {
    let built = try build(both, ["llama.cpp:b9000", "ollama:semver:0.30.0"])
    #expect(minimums(built)[...1] == [["ollama 0.30.0"], ["llama.cpp b9000"]])
    let error: PublishingError? = failure { _ = try build(both, ["llama.cpp:b100"]) }
    guard case .runtimeTooLow = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test func `a statement about one file does not speak for another one's unknown need`() throws {
    let files = ["a.gguf": SampleModel.gguf(), "b.tflite": SampleModel.tflite(minimumRuntime: "")]
    #expect(throws: PublishingError.unknownRuntime(["min_runtime_version that is empty"])) {
      _ = try build(files, ["llama.cpp:b9000"])
    }
    let built = try build(files, ["llama.cpp:b9000", "tflite:2.5.0"])
    #expect(minimums(built) == [[], ["llama.cpp b9000"], ["tflite 2.5.0"]])
  }
}
