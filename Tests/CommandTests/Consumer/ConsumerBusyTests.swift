import TestSupport
import Testing

/// What other processes may do while one installs.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerBusyTests {
  private static let file = "weights.bin"
  private let old = ConsumerRelease(files: [file: .random(300_000)])
  private let new = ConsumerRelease(version: "1.1.0", files: [file: .random(3 << 20, seed: 2)])

  /// Starts an install of the new version that gets no further than its first chunk.
  private func installing(_ home: ConsumerHome) async throws -> (RunningTool, FaultyMirror) {
    let content = try #require(new.files[Self.file])
    let mirror = try FaultyMirror(files: [Self.file: content.bytes], .stall(after: 1_500_000))
    let running = try home.start([
      "install", try home.publish(new), "--mirror", "\(mirror.url)/{name}",
    ])
    #expect(await mirror.wait { $0.contains { $0.bytesSent >= 1_500_000 } })
    return (running, mirror)
  }

  @Test func `who must not wait, or wants something else, is told that the model is busy`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let other = ConsumerRelease(version: "1.2.0", files: new.files)
    try await home.installed(old)
    let (running, mirror) = try await installing(home)
    for arguments in [
      ["install", try home.publish(new), "--mirror", "\(mirror.url)/{name}", "--no-wait"],
      ["install", try home.publish(other), "--mirror", "\(mirror.url)/{name}"],
      ["remove", "acme/tiny"],
    ] {
      try await home.run(arguments).expectRefusal(
        7,
        "another process is at work on acme/tiny",
        help: "wait for it, or look with sealift status"
      )
    }
    #expect(running.isRunning)
    running.kill()
    #expect(try home.oracle().active()?.version == "1.0.0")
  }

  @Test func `reading never waits, and says what is going on`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(old)
    let (running, _) = try await installing(home)
    let status = try await home.run(["status"])
    #expect(status.output.hasPrefix("acme/tiny: active 1.0.0\n  candidate 1.1.0: "))
    #expect(status.output.hasSuffix(" on disk, in work\n"))
    let path = try await home.run(["path", "acme/tiny"])
    #expect(path.output == "\(try #require(try home.oracle().active()).path)\n")
    #expect(try await home.run(["list"]).ending == .exited(0))
    #expect(running.isRunning)
    running.kill()
    _ = await running.wait()
    let after = try await home.run(["status"])
    #expect(after.output.hasSuffix(" on disk, interrupted, resumed by the next install\n"))
  }

  @Test func `a second installer of the same release shows the progress of the first`() async throws
  {
    let home = try await ConsumerHome.trusting()
    try await home.installed(old)
    let (first, mirror) = try await installing(home)
    let second = try home.start([
      "install", try home.publish(new), "--mirror", try home.fileMirror(new), "--json",
    ])
    #expect(await second.waitForOutput { $0.contains("\"label\":\"fetching elsewhere\"") })
    let output = String(decoding: second.standardOutput, as: UTF8.self)
    #expect(output.contains("{\"event\":\"attached\",\"process\":\(first.process)}"))
    // What the first one leaves, the second takes over.
    first.kill()
    let outcome = await second.wait()
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(try home.oracle().active()?.version == "1.1.0")
    #expect(mirror.bytesSent >= 1_500_000)
  }

  @Test func `changes of the active version and collection do not wait for a download`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    try await home.installed(
      ConsumerRelease(version: "0.9.0", files: [Self.file: .random(9, seed: 3)])
    )
    try await home.installed(old)
    let (running, _) = try await installing(home)
    for command in [
      ["rollback", "acme/tiny"], ["gc"], ["activate", "acme/tiny@1.0.0"], ["doctor"],
    ] {
      let outcome = try await home.run(command)
      #expect(outcome.ending == .exited(0), "\(command): \(outcome.output)\(outcome.errors)")
    }
    #expect(running.isRunning)
    #expect(home.oracle().candidates.count == 1)
  }

  @Test func `another model is installed meanwhile`() async throws {
    let home = try await ConsumerHome.trusting()
    let (running, _) = try await installing(home)
    var other = old
    other.model = "acme/other"
    try await home.installed(other)
    #expect(try home.oracle("acme/other").active()?.version == "1.0.0")
    #expect(running.isRunning)
  }

  @Test func `twenty that start together fetch the bytes once`() async throws {
    let home = try await ConsumerHome.trusting()
    let content = try #require(new.files[Self.file])
    let mirror = try FaultyMirror(files: [Self.file: content.bytes])
    let install = ["install", try home.publish(new), "--mirror", "\(mirror.url)/{name}"]
    let outcomes = try await withThrowingTaskGroup(of: ToolOutcome.self) { group in
      for _ in 0..<20 { group.addTask { try await home.run(install) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for outcome in outcomes {
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
      #expect(outcome.output.hasSuffix("/files\n"))
    }
    #expect(mirror.bytesSent == content.bytes.count)
    #expect(try home.oracle().active()?.generation == 1)
  }
}
