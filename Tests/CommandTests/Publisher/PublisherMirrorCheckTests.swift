import Foundation
import Manifests
import StrictJSON
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct PublisherMirrorCheckTests {
  private static let weights = SampleModel.gguf() + SampleBytes(seed: 11).prefix(5 << 20)

  /// Builds `m.json` of two files in `served/`: weights of six chunks, and a small file of one.
  private func build(_ mirrors: [String], _ options: String...) async throws {
    try place(Self.weights, at: "served/w.gguf")
    try place(Array("{\"a\": 1}".utf8), at: "served/config.json")
    let outcome = try await publish(
      ["build", "served", "--model", "acme/tiny", "--version", "1.0.0", "--output", "m.json"]
        + ["--released", "2026-11-30T00:00:00Z"] + options
        + mirrors.flatMap { ["--mirror", $0] }
    )
    try #require(outcome.exitCode == 0, "\(outcome.errors)")
  }

  private func findings(_ outcome: ToolOutcome) throws -> [[String]] {
    try outcome.events().filter { $0["event"] == "finding" }.map { finding in
      ["mirror", "path", "code"].map { name in
        if case .string(let text)? = finding[name] { text } else { "" }
      }
    }
  }

  @Test(.enabled(if: NginxMirror.isAvailable, "needs nginx"))
  func `of four mirrors the stale, the lying and the one without ranges are named`() async throws {
    try await build([])
    let old = SampleModel.gguf() + SampleBytes(seed: 12).prefix(5 << 20)
    try place(old, at: "old/w.gguf")
    try place(Array("{\"a\": 2}".utf8), at: "old/config.json")
    let clean = try await NginxMirror(folder: TemporaryFolder.path("served"))
    let stale = try await NginxMirror(folder: TemporaryFolder.path("old"))
    let lying = try FaultyMirror(
      folder: TemporaryFolder.path("served"),
      .flip(at: 3 << 20 | 500),
      for: "/w.gguf"
    )
    let plain = try await NginxMirror(
      folder: TemporaryFolder.path("served"),
      NginxOptions(maxRanges: 0)
    )
    let mirrors = [clean.url, stale.url, lying.url, plain.url].map { "\($0)/{name}" }
    let options = ["mirror", "check", "m.json", "--sample", "10"]
    let check = options + mirrors.flatMap { ["--mirror", $0] }
    let outcome = try await publish(check)
    #expect(outcome.exitCode == 10, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let found = lines.drop { !$0.contains(": ") || $0.hasPrefix("mirror ") }
    #expect(
      found == [
        "\(mirrors[1]): config.json: wrongChunk: wrong bytes in chunk 0 (bytes 0 to 7)",
        "\(mirrors[1]): w.gguf: stale: another file, as of another release: of 7 chunks that were read, 6 are wrong",
        "\(mirrors[2]): w.gguf: wrongChunk: wrong bytes in chunk 4 (bytes 3,145,856 to 4,194,431)",
        "\(mirrors[3]): w.gguf: noRanges: no ranges: a request for a part is answered with the whole file, or refused",
      ]
    )
    for (mirror, state) in zip(mirrors, ["ok", "wrongChunk, stale", "wrongChunk", "noRanges"]) {
      let row = try #require(lines.first { $0.hasPrefix("\(mirror)  ") })
      #expect(row.dropFirst(mirror.count).drop { $0 == " " }.hasPrefix("\(state)  "), "\(row)")
    }
    #expect(outcome.errors.contains("error: 4 findings at 3 of 4 mirrors\n"))
    let events = try await publish(check + ["--json"])
    #expect(events.exitCode == 10)
    #expect(
      try findings(events) == [
        [mirrors[1], "config.json", "wrongChunk"], [mirrors[1], "w.gguf", "stale"],
        [mirrors[2], "w.gguf", "wrongChunk"], [mirrors[3], "w.gguf", "noRanges"],
      ]
    )
    let lie = try #require(
      try events.events().first { $0["mirror"] == .string(mirrors[2]) && $0["event"] == "finding" }
    )
    guard case .array(let chunks)? = lie["chunks"], case .object(let chunk)? = chunks.first else {
      Issue.record("\(lie)")
      return
    }
    #expect(chunk["index"] == 4)
    #expect(chunk["offset"] == 3_145_856)
    #expect(chunk["length"] == 1_048_576)
    #expect(
      Set(chunk.members.map(\.name)) == [
        "index", "offset", "length", "expectedSha256", "foundSha256",
      ]
    )
    for nginx in [clean, stale, plain] {
      await nginx.stop()
      #expect(try nginx.requests().allSatisfy { $0.authorization.isEmpty })
    }
    withExtendedLifetime(lying) {}
  }

  @Test func `clean mirrors end with 0, and only samples are fetched`() async throws {
    try await build([])
    let mirror = try FaultyMirror(folder: TemporaryFolder.path("served"))
    let outcome = try await publish(
      "mirror",
      "check",
      "m.json",
      "--sample",
      "2",
      "--seed",
      "5",
      "--mirror",
      "\(mirror.url)/{name}"
    )
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("1 mirror checked, no findings\n"))
    #expect(outcome.errors.contains("warning: the mirror \(mirror.url)/{name} is not encrypted\n"))
    #expect(outcome.errors.contains("--seed 5 chooses them again\n"))
    #expect(mirror.bytesSent < 3 << 20)
    #expect(mirror.requests.allSatisfy { !$0.hasAuthorization && !$0.hasCookie })
  }

  @Test func `warnings that repeat are folded for people, and all there for programs`() async throws
  {
    try await build([])
    let mirror = try FaultyMirror(folder: TemporaryFolder.path("served"))
    let mirrors = (0..<6).flatMap { ["--mirror", "\(mirror.url)/{name}?\($0)"] }
    let check = ["mirror", "check", "m.json", "--sample", "2"] + mirrors
    let outcome = try await publish(check)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("like this; --verbose shows all\n"))
    #expect(outcome.errors.components(separatedBy: "is not encrypted\n").count < 7)
    let events = try await publish(check + ["--json"]).events()
    #expect(events.count { $0["kind"] == "plainHTTP" } == 6)
    withExtendedLifetime(mirror) {}
  }

  @Test func `full reads every byte`() async throws {
    try await build([])
    let mirror = try FaultyMirror(folder: TemporaryFolder.path("served"))
    let outcome = try await publish(
      "mirror",
      "check",
      "m.json",
      "--full",
      "--json",
      "--mirror",
      "\(mirror.url)/{name}"
    )
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let summary = try outcome.summary()
    #expect(summary["bytes"] == .integer(Int64(Self.weights.count + 8)))
    #expect(summary["depth"] == "full")
    #expect(summary["seed"] == nil)
    #expect(mirror.bytesSent == Self.weights.count + 8)
  }

  @Test func `no mirror at all that answers ends with 4, and no mirror named with 2`() async throws
  {
    let dead = try DeadPort()
    try await build(["\(dead.url)/{name}"])
    let outcome = try await publish("mirror", "check", "m.json")
    #expect(outcome.exitCode == 4)
    #expect(
      outcome.output.contains(
        "\(dead.url)/{name}: config.json: unreachable: no connection: Connection refused\n"
      )
    )
    #expect(outcome.errors.contains("error: no mirror of acme/tiny 1.0.0 gives an answer\n"))
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("m.json"))
    try await build([])
    let none = try await publish("mirror", "check", "m.json")
    #expect(none.exitCode == 2)
    #expect(none.errors.contains("the manifest names no mirror"))
    withExtendedLifetime(dead) {}
  }

  @Test func `a URL that moves is warned about, and is no finding`() async throws {
    try await build([])
    try place(Self.weights, at: "hub/resolve/main/w.gguf")
    try place(Array("{\"a\": 1}".utf8), at: "hub/resolve/main/config.json")
    let outcome = try await publish(
      "mirror",
      "check",
      "m.json",
      "--mirror",
      "file://\(TemporaryFolder.path("hub"))/resolve/main/{name}"
    )
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("moves: resolve/main names no fixed state"))
  }

  @Test(.enabled(if: NginxMirror.isAvailable, "needs nginx"))
  func `a certificate is judged by the authorities that are named`() async throws {
    try await build([])
    let certificates = try await TestCertificates()
    let nginx = try await NginxMirror(
      folder: TemporaryFolder.path("served"),
      NginxOptions(certificates: certificates)
    )
    let check = ["mirror", "check", "m.json", "--json", "--mirror", "\(nginx.url)/{name}"]
    let refused = try await publish(check)
    #expect(refused.exitCode == 4)
    #expect(try findings(refused).map { $0[2] } == ["certificate"])
    let accepted = try await publish(check + ["--ca-bundle", certificates.authority])
    #expect(accepted.exitCode == 0, "\(accepted.errors)")
    await nginx.stop()
  }

  @Test(.enabled(if: NginxMirror.isAvailable, "needs nginx"))
  func `https that leads to http is a finding, and other redirects are told`() async throws {
    try await build([])
    let target = try FaultyMirror(folder: TemporaryFolder.path("served"))
    let certificates = try await TestCertificates()
    let nginx = try await NginxMirror(
      folder: TemporaryFolder.path("served"),
      NginxOptions(redirects: ["/": target.url], certificates: certificates)
    )
    let moved = try FaultyMirror(
      folder: TemporaryFolder.path("served"),
      .redirect(to: target.url)
    )
    let outcome = try await publish(
      "mirror",
      "check",
      "m.json",
      "--json",
      "--ca-bundle",
      certificates.authority,
      "--mirror",
      "\(nginx.url)/{name}",
      "--mirror",
      "\(moved.url)/{name}"
    )
    #expect(outcome.exitCode == 10)
    #expect(try findings(outcome).map { $0[2] } == ["redirect", "redirect"])
    let mirror = try #require(
      try outcome.events().last { $0["event"] == "mirror" }
    )
    #expect(mirror["redirects"] == 1)
    #expect(mirror["redirectOrigins"] == [.string(target.url)])
    #expect(mirror["state"] == "ok")
    await nginx.stop()
    withExtendedLifetime((target, moved)) {}
  }

  @Test func `an interruption ends a check that waits`() async throws {
    try await build([])
    let mirror = try FaultyMirror(folder: TemporaryFolder.path("served"), .silence)
    var tool = try Tool.built("sealift-publish")
    tool.folder = TemporaryFolder.current
    let running = try tool.start(
      ["mirror", "check", "m.json", "--timeout", "1h", "--mirror", "\(mirror.url)/{name}"]
    )
    await mirror.wait { !$0.isEmpty }
    running.interrupt()
    let outcome = await running.wait()
    #expect(outcome.exitCode == 130)
    #expect(outcome.errors.contains("interrupted"))
    #expect(outcome.output == "")
  }

  @Test(.enabled(if: NginxMirror.isAvailable, "needs nginx"))
  func `memory does not grow with the file`() async throws {
    let path = TemporaryFolder.path("served/large.bin")
    _ = try Folder(creating: TemporaryFolder.path("served"), mode: 0o755)
    try place(Array("weights".utf8), at: "served/large.bin")
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: 256 << 20)
    try file.close()
    let built = try await publish(
      "build",
      "served",
      "--model",
      "large",
      "--version",
      "1.0.0",
      "--runtime",
      "llama.cpp:b6000",
      "--output",
      "m.json"
    )
    try #require(built.exitCode == 0, "\(built.errors)")
    let nginx = try await NginxMirror(folder: TemporaryFolder.path("served"))
    let outcome = try await publish(
      "mirror",
      "check",
      "m.json",
      "--full",
      "--mirror",
      "\(nginx.url)/{name}"
    )
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.peakMemory < 96 << 20)
    await nginx.stop()
  }

  @Test(arguments: [
    ["--full", "--sample", "3"], ["--sample", "0"], ["--timeout", "0s"], ["--limit-rate", "0"],
    ["--jobs", "0"], ["--seed", "-1"], ["--mirror", "ftp://example.com/{name}"],
  ])
  func `options that cannot be meant are refused`(options: [String]) async throws {
    let outcome = try await publish(["mirror", "check", "m.json"] + options)
    #expect(outcome.exitCode == 2)
  }

  @Test func `what is no manifest is refused`() async throws {
    try place(Array("{}".utf8), at: "m.json")
    #expect(try await publish("mirror", "check", "m.json").exitCode == 6)
    #expect(try await publish("mirror", "check", "nothing.json").exitCode == 3)
  }
}
