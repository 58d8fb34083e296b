import Foundation
import Manifests
import ModelFormats
import Testing

/// Every name for which a build of llama.cpp is known.
struct GGUFNeedsTests {
  /// A name in `Tables/llama.cpp.json`.
  struct Entry: Sendable, CustomTestStringConvertible {
    let name: String
    let first: Int
    let below: Int?
    var testDescription: String { name }
  }

  private static func table() -> [String: Any] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    guard let data = try? Data(contentsOf: root.appending(path: "Tables/llama.cpp.json")),
      let table = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { return [:] }
    return table
  }

  private static func entries(_ kind: String) -> [Entry] {
    let names = table()[kind] as? [String: [String: Any]] ?? [:]
    return names.sorted { $0.key < $1.key }.map { name, facts in
      Entry(name: name, first: facts["min"] as? Int ?? 0, below: facts["below"] as? Int)
    }
  }

  /// Compares the requirement of a file with what the table says of the name that is in it.
  private func expect(
    _ entry: Entry,
    _ reason: String,
    of sample: GGUFSample,
    least: Int = 1_405,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let report = try inspect("m.gguf", sample.bytes).report
    #expect(report.fault == nil, sourceLocation: sourceLocation)
    #expect(report.unknownToRuntimes == [], sourceLocation: sourceLocation)
    let requirement = try #require(report.runtimes.first, sourceLocation: sourceLocation)
    let first = max(least, entry.first)
    #expect(requirement.minimum == "b\(first)", sourceLocation: sourceLocation)
    #expect(requirement.below == entry.below.map { "b\($0)" }, sourceLocation: sourceLocation)
    let isReason = entry.first == first || entry.below != nil
    let end = entry.below.map { " until b\($0)" } ?? ""
    let text = "\(reason) \(entry.name) b\(entry.first)\(end)"
    #expect(requirement.because.contains(text) == isReason, sourceLocation: sourceLocation)
  }

  @Test func `the table is there`() {
    #expect(Self.entries("architectures").count == 151)
    #expect(Self.entries("tokenizers").count == 10)
    #expect(Self.entries("preTokenizers").count == 87)
    #expect(Self.entries("projectors").count == 61)
  }

  @Test(arguments: entries("architectures").filter { $0.name != "clip" })
  func `an architecture needs the build that brought it, and not the one that dropped it`(
    entry: Entry
  ) throws {
    try expect(entry, "architecture", of: GGUFSample(architecture: entry.name))
  }

  /// What the reference says itself, beside the table: names that were dropped again.
  @Test(arguments: [
    ("persimmon", "b1405", "b2952"), ("olmo_1124", "b4130", "b4168"),
    ("qwen3_5", "b7973", "b7976"),
  ])
  func `a name that was dropped gives an end too`(name: String, minimum: String, below: String)
    throws
  {
    let requirement = try inspect("m.gguf", GGUFSample(architecture: name).bytes).report.runtimes[0]
    #expect(requirement.minimum == minimum)
    #expect(requirement.below == below)
    let last = try RuntimeStatement("llama.cpp=b\(try #require(Int(below.dropFirst())) - 1)")
    #expect(requirement.state(given: [last]) == .satisfied)
    #expect(requirement.state(given: [try RuntimeStatement("llama.cpp=\(below)")]) == .tooNew)
  }

  @Test(arguments: entries("tokenizers"))
  func `a tokenizer needs the build that brought it`(entry: Entry) throws {
    let sample = GGUFVocabularyTests.sample(entry.name) {
      $0.add("tokenizer.ggml.merges", texts: ["a b"])
    }
    try expect(entry, "tokenizer", of: sample)
  }

  @Test(arguments: entries("preTokenizers"))
  func `the rule before a tokenizer needs the build that brought it`(entry: Entry) throws {
    let sample = GGUFVocabularyTests.sample("gpt2") {
      $0.add("tokenizer.ggml.merges", texts: ["a b"])
      $0.add("tokenizer.ggml.pre", text: entry.name)
    }
    try expect(entry, "pre-tokenizer", of: sample)
  }

  @Test(
    arguments: [
      ("gpt2", true), ("hybriddna", true), ("whitespace", true), ("llama", false), ("bert", false),
      ("t5", false), ("gemma4", false), ("rwkv", false), ("plamo2", false),
    ]
  )
  func `the rule counts where the runtime asks for it, and its absence is told there`(
    tokenizer: String,
    counts: Bool
  ) throws {
    func report(_ rule: String?) throws -> FormatReport {
      let sample = GGUFVocabularyTests.sample(tokenizer) {
        $0.add("tokenizer.ggml.merges", texts: ["a b"])
        if let rule { $0.add("tokenizer.ggml.pre", text: rule) }
      }
      return try inspect("m.gguf", sample.bytes).report
    }
    #expect(try report("zzz").unknownToRuntimes == (counts ? ["pre-tokenizer zzz"] : []))
    let without = try report(nil)
    #expect(without.fault == nil)
    #expect(without.warnings.map(\.code) == (counts ? [.missingKey] : []))
    #expect(without.warnings.allSatisfy { $0.expected.contains("tokenizer.ggml.pre") })
  }

  @Test(
    arguments: entries("projectors"),
    ["clip.projector_type", "clip.vision.projector_type", "clip.audio.projector_type"]
  )
  func `a projector needs the build that brought it, under each of its keys`(
    entry: Entry,
    key: String
  ) throws {
    var sample = GGUFSample(architecture: "clip")
    sample.add(key, text: entry.name)
    try expect(entry, "projector", of: sample)
    #expect(try inspect("m.gguf", sample.bytes).format.more["projectors"] == .list([entry.name]))
  }

  @Test func `of several projectors each counts`() throws {
    var sample = GGUFSample(architecture: "clip")
    sample.add("clip.vision.projector_type", text: "qwen3vl_merger")
    sample.add("clip.audio.projector_type", text: "zzz")
    let report = try inspect("m.gguf", sample.bytes).report
    #expect(report.runtimes.map(\.minimum) == ["b6887"])
    #expect(report.unknownToRuntimes == ["projector zzz"])
    #expect(report.facts.more["projectors"] == .list(["qwen3vl_merger", "zzz"]))
  }

  @Test(
    arguments: [
      (2, 1_087, nil), (3, 1_405, nil),
    ] as [(UInt64, Int, Int?)]
  )
  func `the version of the format needs a build`(version: UInt64, first: Int, below: Int?) throws {
    let entry = Entry(name: String(version), first: first, below: below)
    try expect(entry, "GGUF version", of: GGUFSample.with { $0.version = version }, least: 0)
  }
}
