import Digests
import Foundation
import TestSupport
import Testing

/// No mirror is any good: the install says so by kind, and costs nothing that was there or that was right.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerAllMirrorsBadTests {
  private static let file = "weights.bin"
  private static let old = ConsumerRelease(files: [file: .random(300_000, seed: 1)])
  private static let new = ConsumerRelease(
    version: "1.1.0",
    files: [file: .random(4 << 20, seed: 2)]
  )

  struct Case: Sendable, CustomTestStringConvertible {
    let faults: [Fault]
    let exit: Int
    let kind: String
    let message: String

    init(_ faults: [Fault], _ exit: Int, _ kind: String, _ message: String) {
      self.faults = faults
      self.exit = exit
      self.kind = kind
      self.message = message
    }

    var testDescription: String { "\(faults)" }
  }

  @Test(arguments: [
    Case([.status(404), .status(410)], 4, "missing", "every mirror failed"),
    Case([.status(403), .status(401)], 4, "auth", "every mirror failed"),
    Case([.status(500), .status(502)], 4, "network", "every mirror failed"),
    Case([.html, .html], 4, "protocol", "every mirror failed"),
    Case([.gzip, .garbage], 4, "protocol", "every mirror failed"),
    Case([.silence, .stall()], 4, "network", "every mirror failed"),
    Case([.zeros, .flip(at: 2_500_000)], 5, "integrity", "every mirror serves wrong bytes"),
    Case([.flip(at: 10), .status(404)], 5, "integrity", "every mirror serves wrong bytes"),
    Case([.flip(at: 10), .status(500)], 4, "network", "every mirror failed"),
  ])
  func `the exit code says the kind, and the old version stays active and whole`(
    _ bad: Case
  ) async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(Self.old)
    let before = try #require(try home.oracle().active())
    let content = try #require(Self.new.files[Self.file])
    let mirrors = try bad.faults.map { try FaultyMirror(files: [Self.file: content.bytes], $0) }
    let manifest = try home.publish(Self.new)

    let failed = try await home.run(
      ["install", manifest, "--give-up", "1s"]
        + mirrors.flatMap { ["--mirror", "\($0.url)/{name}"] }
    )
    #expect(failed.ending == .exited(bad.exit), "\(failed.errors)")
    #expect(failed.errors.contains("\nerror: \(Self.file): \(bad.message)\n"), "\(failed.errors)")
    for mirror in mirrors { #expect(failed.errors.contains("  note: \(mirror.url)/{name}: ")) }
    #expect(failed.errors.contains("\n  help: "))
    #expect(failed.output.isEmpty)
    #expect(try home.oracle().active() == before)
    #expect(home.oracle().versions == ["1.0.0"])
    #expect(home.oracle().litter.isEmpty)
    let held = try heldBytes(content, at: home)

    let honest = try FaultyMirror(files: [Self.file: content.bytes])
    let resumed = try await home.run(["install", manifest, "--mirror", "\(honest.url)/{name}"])
    #expect(resumed.ending == .exited(0), "\(resumed.errors)")
    #expect(honest.bytesSent == content.bytes.count - held)
    #expect(try home.oracle().active()?.version == "1.1.0")
    #expect(home.oracle().candidates.isEmpty)
  }

  /// The bytes of right chunks in the candidate; every other chunk must hold none of a mirror's bytes but a right start.
  private func heldBytes(_ content: ConsumerRelease.Content, at home: ConsumerHome) throws -> Int {
    let part = try #require(home.oracle().firstPart)
    let whole = Data(content.bytes)
    try #require(part.count == whole.count)
    var held = 0
    for start in stride(from: 0, to: part.count, by: 1 << 20) {
      let (found, right) = (part[start..<start + 1 << 20], whole[start..<start + 1 << 20])
      // An unfinished chunk is empty, or begins with right bytes and goes on with none.
      let end = found.lastIndex { $0 != 0 }.map { $0 + 1 } ?? start
      #expect(part[start..<end] == whole[start..<end], "chunk at \(start)")
      held += found == right ? found.count : end - start
    }
    return held
  }

  @Test func `the error lists the agreement of mirrors that serve the same wrong bytes`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let content = try #require(Self.new.files[Self.file])
    let mirrors = try (0..<2).map { _ in
      try FaultyMirror(files: [Self.file: content.bytes], .flip(at: 10))
    }
    let outcome = try await home.run(
      ["install", try home.publish(Self.new)]
        + mirrors.flatMap { ["--mirror", "\($0.url)/{name}"] }
    )
    #expect(outcome.ending == .exited(5))
    #expect(outcome.errors.contains("the mirrors agree with each other, but not with the manifest"))
    #expect(mirrors.allSatisfy { !$0.requests.isEmpty })
  }
}
