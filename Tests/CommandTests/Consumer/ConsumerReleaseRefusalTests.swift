import Manifests
import TestSupport
import Testing

/// Releases that are signed and still not to become active here.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerReleaseRefusalTests {
  private func release(_ version: String, seed: UInt64 = 1) -> ConsumerRelease {
    ConsumerRelease(version: version, files: ["weights.bin": .random(50_000, seed: seed)])
  }

  @Test func `an older release is refused unless a person asks for it`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release("1.1.0"))
    let older = release("1.0.0", seed: 2)
    let mirror = try home.fileMirror(older)
    let manifest = try home.publish(older)
    try await home.run(["install", manifest, "--mirror", mirror]).expectRefusal(
      6,
      "version 1.0.0 is older than 1.1.0, active before",
      help: "--allow-downgrade accepts it if that is what you want"
    )
    #expect(home.oracle().versions == ["1.1.0"])
    let allowed = try await home.run([
      "install", manifest, "--mirror", mirror, "--allow-downgrade",
    ])
    #expect(allowed.ending == .exited(0), "\(allowed.errors)")
    #expect(try home.oracle().active()?.version == "1.0.0")
  }

  @Test func `an older release stays refused after the model was removed`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release("1.1.0"))
    #expect(try await home.run(["remove", "acme/tiny"]).ending == .exited(0))
    let older = release("1.0.0")
    let mirror = try home.fileMirror(older)
    try await home.run(["install", try home.publish(older), "--mirror", mirror])
      .expectRefusal(6, "version 1.0.0 is older than 1.1.0, active before")
  }

  @Test func `another manifest of an installed version is refused`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release("1.0.0"))
    let other = release("1.0.0", seed: 2)
    let mirror = try home.fileMirror(other)
    try await home.run(["install", try home.publish(other, as: "b.json"), "--mirror", mirror])
      .expectRefusal(
        6,
        "another manifest of version 1.0.0 was active before",
        note: "installed manifest ",
        help: "a release never changes"
      )
  }

  private func needingRuntime() throws -> ConsumerRelease {
    var release = release("1.0.0")
    release.runtimes = [
      try RuntimeRequirement(
        name: try RuntimeName("llama.cpp"),
        scheme: .build,
        minimum: "b5873",
        because: ["architecture lfm2 b5873"]
      )
    ]
    return release
  }

  @Test(arguments: [nil, "llama.cpp=b100", "onnxruntime=1.20.0"])
  func `a runtime that is missing or too old refuses before anything is fetched`(
    runtime: String?
  ) async throws {
    let home = try await ConsumerHome.trusting()
    let release = try needingRuntime()
    let mirror = try FaultyMirror(files: ["weights.bin": []])
    let statement = runtime.map { ["--runtime", $0] } ?? []
    let outcome = try await home.run(
      ["install", try home.publish(release), "--mirror", "\(mirror.url)/{name}"] + statement
    )
    let message = try #require(outcome.errorLines.first)
    outcome.expectRefusal(
      9,
      String(message.dropFirst(7)),
      help: runtime == "llama.cpp=b100"
        ? "get llama.cpp b5873 or a later one, and state it: --runtime llama.cpp=VERSION"
        : "state the runtime that will load it: --runtime llama.cpp=VERSION"
    )
    #expect(message.hasPrefix("error: acme/tiny 1.0.0 does not run here: "), "\(message)")
    #expect(message.contains("b5873"), "\(message)")
    if let runtime, runtime.hasPrefix("llama") { #expect(message.contains("b100"), "\(message)") }
    #expect(mirror.requests.isEmpty)
  }

  @Test func `a stated runtime that is new enough is accepted`() async throws {
    let home = try await ConsumerHome.trusting()
    let release = try needingRuntime()
    let install = ["install", try home.publish(release), "--mirror", try home.fileMirror(release)]
    let prepared = try await home.run(install + ["--no-activate"])
    #expect(prepared.ending == .exited(0), "\(prepared.errors)")
    #expect(try await home.run(["activate", "acme/tiny@1.0.0"]).ending == .exited(9))
    #expect(try await home.run(["runtime", "set", "llama.cpp=b6000"]).ending == .exited(0))
    #expect(try await home.run(["activate", "acme/tiny@1.0.0"]).ending == .exited(0))
    #expect(try home.oracle().active()?.version == "1.0.0")
  }

  @Test func `signed bytes that are no model are refused by name`() async throws {
    let home = try await ConsumerHome.trusting()
    let page = ConsumerRelease(files: ["model.gguf": .init(bytes: SampleModel.htmlPage)])
    let outcome = try await home.run([
      "install", try home.publish(page), "--mirror", try home.fileMirror(page),
    ])
    outcome.expectRefusal(
      9,
      "acme/tiny 1.0.0 is signed, and its bytes are the signed ones, but it cannot be used",
      note: "model.gguf ",
      help: "tell the publisher"
    )
    #expect(try home.oracle().active() == nil)
    #expect(home.oracle().versions.isEmpty)
  }
}
