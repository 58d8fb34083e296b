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

  @Test func `another runtime, and versions that count otherwise, are further ways`() throws {
    let built = try build(["ollama:semver:0.30.0", "llama.cpp:0.5.0"])
    #expect(
      built.release.runtimes.map { "\($0.name) \($0.scheme) \($0.minimum)" } == [
        "ollama semver 0.30.0", "llama.cpp semver 0.5.0", "llama.cpp build b5873",
      ]
    )
  }

  @Test func `an architecture without a known minimum needs a stated one`() throws {
    #expect(throws: PublishingError.unknownRuntime(["architecture zzz"])) {
      _ = try build(architecture: "zzz")
    }
    #expect(
      described(try build(["llama.cpp:b12000"], architecture: "zzz"))
        == ["llama.cpp ≥ b12000 (stated by the publisher)"]
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
