import Manifests
import ModelFormats
import Publishing
import TestSupport
import Testing

/// What the bytes need of a runtime, and what the publisher may state beside it.
@Suite(.temporaryFolder)
struct DerivedRuntimeTests {
  private func build(
    _ runtimes: [String] = [],
    architecture: String = "lfm2",
    isForced: Bool = false
  ) throws -> BuiltRelease {
    try write(SampleModel.gguf(architecture: architecture), to: "m.gguf")
    var draft = try ReleaseDraft.sample(mirrors: ["https://h/{sha256}"])
    draft.runtimes = try runtimes.map { try RuntimeRequirement(stated: $0) }
    draft.forcesRuntimes = isForced
    return try ReleaseBuilder.build(["m.gguf"], draft)
  }

  private func buildONNX(_ runtimes: [String]) throws -> BuiltRelease {
    try write(SampleModel.onnx(), to: "m.onnx")
    var draft = try ReleaseDraft.sample(mirrors: ["https://h/{sha256}"])
    draft.runtimes = try runtimes.map { try RuntimeRequirement(stated: $0) }
    return try ReleaseBuilder.build(["m.onnx"], draft)
  }

  private func described(_ release: BuiltRelease) -> [String] {
    release.release.runtimes.map(\.description)
  }

  @Test func `the minimum of the bytes stands in the manifest with its reason`() throws {
    let built = try build()
    #expect(described(built) == ["llama.cpp ≥ b5873 (architecture lfm2 b5873)"])
    #expect(built.release.files.first?.format.more["parameterCount"] == .integer(8))
  }

  @Test func `the publisher may state more`() throws {
    #expect(
      described(try build(["llama.cpp:b9000"]))
        == ["llama.cpp ≥ b9000 (stated by the publisher, architecture lfm2 b5873)"]
    )
  }

  @Test func `less is refused, and recorded where the publisher insists`() throws {
    let stated = try RuntimeRequirement(stated: "llama.cpp:b100")
    let error: PublishingError? = failure { _ = try build(["llama.cpp:b100"]) }
    guard case .runtimeTooLow(stated, let derived) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(derived.minimum == "b5873")
    let forced = try build(["llama.cpp:b100"], isForced: true)
    let requirement = try #require(forced.release.runtimes.first)
    #expect(requirement.minimum == "b100")
    #expect(requirement.isForced)
    #expect(requirement.because.last == "forced below b5873 (architecture lfm2 b5873)")
    #expect(forced.warnings == [.forcedRuntime(stated: stated, derived: derived)])
  }

  @Test func `another runtime is a further way`() throws {
    let built = try build(["ollama:semver:0.30.0"])
    #expect(
      built.release.runtimes.map { "\($0.name) \($0.scheme) \($0.minimum)" } == [
        "ollama semver 0.30.0", "llama.cpp build b5873",
      ]
    )
  }

  @Test(arguments: ["llama.cpp:0.5.0", "llama.cpp:exact:b5", "llama.cpp:dotted:1.2"])
  func `versions that count otherwise than those of the bytes are refused`(text: String) throws {
    let error: PublishingError? = failure { _ = try build([text]) }
    let expected = try RuntimeRequirement(stated: text)
    guard case .runtimeCountsOtherwise(expected, let derived) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(derived.scheme == .build)
    let forced = try build([text], isForced: true).release.runtimes
    #expect(forced.map(\.isForced) == [true])
  }

  @Test func `every statement of a runtime is compared`() throws {
    let stated = try RuntimeRequirement(stated: "llama.cpp:b2000")
    let error: PublishingError? = failure {
      _ = try build(["llama.cpp:b9000", "llama.cpp:b2000"])
    }
    guard case .runtimeTooLow(stated, _) = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test(arguments: ["onnxruntime:0.1", "onnxruntime:dotted:0.2.9"])
  func `two parts are read as the semantic version that the bytes are derived in`(
    text: String
  ) throws {
    let error: PublishingError? = failure { _ = try buildONNX([text]) }
    guard case .runtimeTooLow(let stated, let derived) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(stated.scheme == .semver)
    #expect(derived.scheme == .semver)
    let built = try buildONNX(["onnxruntime:9.8"])
    #expect(built.release.runtimes.map { "\($0.scheme) \($0.minimum)" } == ["semver 9.8"])
  }

  @Test func `what is known stays the least where something else is unknown`() throws {
    let error: PublishingError? = failure {
      _ = try build(["llama.cpp:b1"], architecture: "zzz")
    }
    guard case .runtimeTooLow(_, let derived) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(derived.minimum == "b1405")
    // The known part is no way of its own beside another runtime.
    let other = try build(["ollama:semver:0.30.0"], architecture: "zzz")
    #expect(other.release.runtimes.map(\.name.text) == ["ollama"])
  }

  @Test func `needs that exclude each other are refused by name`() throws {
    try write(SampleModel.gguf(architecture: "persimmon"), to: "a.gguf")
    try write(SampleModel.gguf(architecture: "gemma4"), to: "b.gguf")
    var draft = try ReleaseDraft.sample(mirrors: ["https://h/{sha256}"])
    let error: PublishingError? = failure {
      _ = try ReleaseBuilder.build(["a.gguf", "b.gguf"], draft)
    }
    guard case .runtimesExclude(let needs) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(needs.map(\.file?.text) == ["a.gguf", "b.gguf"])
    draft.runtimes = [try RuntimeRequirement(stated: "llama.cpp:b3000")]
    let stated: PublishingError? = failure { _ = try ReleaseBuilder.build(["a.gguf"], draft) }
    guard case .runtimesExclude(let both) = stated else {
      Issue.record("\(stated as Any)")
      return
    }
    #expect(both.map(\.file?.text) == ["a.gguf", nil])
  }

  @Test func `an architecture without a known minimum needs a stated one`() throws {
    #expect(throws: PublishingError.unknownRuntime(["architecture zzz"])) {
      _ = try build(architecture: "zzz")
    }
    #expect(
      described(try build(["llama.cpp:b12000"], architecture: "zzz"))
        == ["llama.cpp ≥ b12000 (stated by the publisher, GGUF version 3 b1405)"]
    )
  }

  @Test func `an upper bound and excluded versions are stated after commas`() throws {
    let requirement = try RuntimeRequirement(
      stated: "llama.cpp:b5873,below=b9000,exclude=b6000..b6010,exclude=b7000"
    )
    #expect(requirement.below == "b9000")
    #expect(requirement.exclude.map(\.text) == ["b6000..b6010", "b7000"])
    #expect(
      described(try build(["llama.cpp:b5874,exclude=b6000"])).first?.contains("not b6000") == true
    )
  }

  @Test(arguments: [
    "llama.cpp:b5873,", "llama.cpp:b5873,below", "llama.cpp:b5873,above=b6000",
    "llama.cpp:b5873,below=b6000,below=b7000",
  ])
  func `another form of bounds is refused`(text: String) {
    #expect(throws: PublishingError.badRuntime(text)) { try RuntimeRequirement(stated: text) }
  }

  @Test(arguments: ["llama.cpp:b5873,below=b100", "llama.cpp:b5873,exclude=b9..b8"])
  func `bounds that leave nothing are refused`(text: String) {
    #expect(throws: ManifestError.self) { try RuntimeRequirement(stated: text) }
  }
}
