import Foundation
import StrictJSON
import TestSupport
import Testing

/// `inspect`: what files are, without making a release of them.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct PublisherInspectTests {
  @Test func `a sound file is shown with what can load it`() async throws {
    try place(SampleModel.gguf(architecture: "lfm2"), at: "m.gguf")
    let outcome = try await publish("inspect", "m.gguf")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    for line in [
      "format            gguf 3", "architecture      lfm2", "tensorTypes       1 F32",
      "needs             llama.cpp ≥ b5873 (architecture lfm2 b5873)", "verdict           sound",
    ] {
      #expect(outcome.output.contains("\(line)\n"), "\(outcome.output)")
    }
  }

  @Test func `of a set of shards the one to load is named`() async throws {
    for index in 0..<2 {
      try place(SampleModel.gguf(shard: index, of: 2), at: "m/a-0000\(index + 1)-of-00002.gguf")
    }
    let outcome = try await publish("inspect", "m")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n").filter { $0.hasPrefix("load ") }
    let line = "load              a-00001-of-00002.gguf"
    #expect(lines.map(String.init) == [line, line], "\(outcome.output)")
    let json = try await publish("inspect", "m", "--json")
    let entries = try json.events().filter { $0["event"] == "file" }.map { $0["entryPoint"] }
    #expect(entries == ["a-00001-of-00002.gguf", "a-00001-of-00002.gguf"])
    let alone = try await publish("inspect", "m/a-00002-of-00002.gguf")
    #expect(alone.exitCode == 9)
    #expect(alone.errors.contains("expected a-00001-of-00002.gguf in the release"))
  }

  @Test func `as JSON it has code, place and both values of a fault`() async throws {
    try place(Array(SampleModel.gguf().dropLast(40)), at: "cut.gguf")
    var bytes = SampleModel.gguf()
    bytes[4] = 1
    try place(bytes, at: "old.gguf")
    let outcome = try await publish("inspect", "cut.gguf", "old.gguf", "--json")
    #expect(outcome.exitCode == 9)
    let problems = try #require(try outcome.summary()["problems"])
    guard case .array(let list) = problems, case .object(let cut) = list[0],
      case .object(let old) = list[1]
    else {
      Issue.record("\(problems)")
      return
    }
    #expect(cut["code"] == "truncated")
    #expect(old["code"] == "unsupportedVersion")
    #expect(old["offset"] == .integer(4))
    #expect(old["found"] == "1")
  }

  @Test func `the facts stand in the order of their names`() async throws {
    try place(SampleModel.gguf(architecture: "lfm2"), at: "m.gguf")
    let outcome = try await publish("inspect", "m.gguf", "--json")
    let file = try outcome.events().first { $0["event"] == "file" }
    guard case .object(let format)? = file?["format"] else {
      Issue.record("\(outcome.output)")
      return
    }
    let names = format.members.map { $0.name }
    #expect(names.prefix(4) == ["name", "version", "architecture", "types"])
    #expect(names.count > 8)
    #expect(names.dropFirst(4).elementsEqual(names.dropFirst(4).sorted()), "\(names)")
  }

  @Test func `what no build takes is a fault here too, and with --strict what is seldom meant`()
    async throws
  {
    try place(SampleModel.gguf() + [1], at: "more.gguf")
    #expect(try await publish("inspect", "more.gguf").exitCode == 0)
    let strict = try await publish("inspect", "more.gguf", "--strict")
    #expect(strict.exitCode == 9)
    #expect(strict.errors.contains("more.gguf is malformed"), "\(strict.errors)")
    var bytes = Array("GGUF".utf8) + [0, 0, 0, 3] + [UInt8](repeating: 0, count: 15) + [1]
    let (key, value) = (Array("general.architecture".utf8), Array("llama".utf8))
    bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(key.count)] + key
    bytes += [0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, UInt8(value.count)] + value
    try place(bytes, at: "big.gguf")
    let outcome = try await publish("inspect", "big.gguf")
    #expect(outcome.exitCode == 9)
    #expect(outcome.errors.contains("big.gguf is for another kind of host"), "\(outcome.errors)")
    #expect(outcome.errors.contains("--big-endian"), "\(outcome.errors)")
  }

  @Test func `a file that is not there is exit code 3`() async throws {
    #expect(try await publish("inspect", "none.gguf").exitCode == 3)
  }

  @Test func `a stated runtime below what the bytes need is exit code 9`() async throws {
    try place(SampleModel.gguf(architecture: "lfm2"), at: "m.gguf")
    let build = ["build", "m.gguf", "--model", "m", "--version", "1.0.0", "--output", "m.json"]
    let outcome = try await publish(build + ["--runtime", "llama.cpp:b100"])
    #expect(outcome.exitCode == 9)
    #expect(outcome.errors.contains("architecture lfm2 b5873"), "\(outcome.errors)")
    let forced = try await publish(build + ["--runtime", "llama.cpp:b100", "--force-runtime"])
    #expect(forced.exitCode == 0)
    let show = try await publish("show", "m.json")
    #expect(show.output.contains("forced below b5873"), "\(show.output)")
  }

  @Test func `a pickle is sealed only where somebody agrees`() async throws {
    try place([0x80, 2, 0x7D, 0x2E], at: "m.pkl")
    let build = ["build", "m.pkl", "--model", "m", "--version", "1.0.0", "--output", "m.json"]
    let outcome = try await publish(build)
    #expect(outcome.exitCode == 9)
    #expect(outcome.errors.contains("--allow-pickle"), "\(outcome.errors)")
    #expect(try await publish(build + ["--allow-pickle"]).exitCode == 0)
  }
}
