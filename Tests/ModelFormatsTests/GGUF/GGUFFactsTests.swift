import Manifests
import ModelFormats
import Testing

/// What the manifest repeats of a GGUF file, and which llama.cpp it needs.
struct GGUFFactsTests {
  @Test func `facts come from keys and tensors`() throws {
    var sample = GGUFSample(architecture: "qwen2")
    sample.add("general.name", text: "Toy")
    sample.add("general.license", text: "apache-2.0")
    sample.add("general.file_type", u32: 1)
    sample.add("qwen2.context_length", u32: 32_768)
    sample.add("qwen2.embedding_length", u32: 8)
    sample.add("tokenizer.ggml.model", text: "gpt2")
    sample.add("tokenizer.ggml.pre", text: "qwen2")
    sample.add("tokenizer.ggml.tokens", texts: ["a", "b"])
    sample.add("tokenizer.ggml.merges", texts: ["a b"])
    sample.tensors = [
      GGUFSample.Tensor(name: Array("x".utf8), dimensions: [256, 2], type: 12, size: 288),
      GGUFSample.Tensor(name: Array("y".utf8), dimensions: [8]),
    ]
    let inspection = try inspect("m.gguf", sample.bytes)
    #expect(inspection.problem == nil)
    #expect(inspection.format.version == 3)
    #expect(inspection.format.architecture == "qwen2")
    #expect(inspection.format.types == ["F32", "Q4_K"])
    #expect(
      inspection.format.more == [
        "kind": .text("model"), "title": .text("Toy"), "license": .text("apache-2.0"),
        "fileType": .integer(1), "contextLength": .integer(32_768), "embeddingLength": .integer(8),
        "tokenizer": .text("gpt2"), "preTokenizer": .text("qwen2"), "tokenCount": .integer(2),
        "tensorCount": .integer(2), "tensorTypes": .counts(["F32": 1, "Q4_K": 1]),
        "parameterCount": .integer(520), "alignment": .integer(32),
        "dataOffset": .integer(sample.dataStart),
      ]
    )
    #expect(inspection.report.licenses == ["apache-2.0"])
    #expect(
      inspection.report.runtimes.map(\.description) == [
        "llama.cpp ≥ b2813 (pre-tokenizer qwen2 b2813)"
      ]
    )
  }

  @Test func `chunks may begin at the data and at each tensor that is not close behind another`()
    throws
  {
    let sample = GGUFSample.with {
      $0.tensors = ["a", "b", "c"].map { name in
        GGUFSample.Tensor(name: Array(name.utf8), dimensions: [10_000], size: 40_000)
      }
    }
    let start = sample.dataStart
    #expect(try inspect("m.gguf", sample.bytes).report.edges.offsets == [start, start + 80_000])
  }

  static let kinds: [(@Sendable (inout GGUFSample) -> Void, String, FileRole, String?)] = [
    ({ $0.add("general.type", text: "adapter") }, "adapter", .adapter, "b3400"),
    ({ $0.add("general.type", text: "mmproj") }, "mmproj", .projector, "b1405"),
    ({ $0.tensors = [] }, "vocabulary", .vocab, "b1405"),
    ({ $0.add("general.type", text: "imatrix") }, "imatrix", .other, nil),
    ({ _ in }, "model", .weights, "b1405"),
  ]

  @Test(arguments: kinds)
  func `the kind of a file gives its role`(
    change: @Sendable (inout GGUFSample) -> Void,
    kind: String,
    role: FileRole,
    minimum: String?
  ) throws {
    let inspection = try inspect("m.gguf", GGUFSample.with(change).bytes)
    #expect(inspection.problem == nil)
    #expect(inspection.format.more["kind"] == .text(kind))
    #expect(inspection.role == role)
    #expect(inspection.report.runtimes.first?.minimum == minimum)
  }

  @Test func `a projector is judged by its type, not by its architecture`() throws {
    var sample = GGUFSample(architecture: "clip")
    sample.add("clip.projector_type", text: "qwen3vl_merger")
    let report = try inspect("m.gguf", sample.bytes).report
    #expect(report.runtimes.first?.minimum == "b6887")
    #expect(report.runtimes.first?.because == ["projector qwen3vl_merger b6887"])
    #expect(report.facts.more["projectors"] == .list(["qwen3vl_merger"]))
  }

  @Test func `the rule before a tokenizer counts only where the runtime asks for it`() throws {
    let sample = GGUFVocabularyTests.sample("llama") {
      $0.add("tokenizer.ggml.pre", text: "qwen35")
    }
    #expect(try inspect("m.gguf", sample.bytes).report.runtimes.first?.minimum == "b1405")
  }

  @Test func `beside an unknown architecture, what is known to be needed stays`() throws {
    let report = try inspect("m.gguf", GGUFSample(architecture: "qwen4exp").bytes).report
    #expect(report.runtimes.map(\.minimum) == ["b1405"])
    #expect(report.unknownToRuntimes == ["architecture qwen4exp"])
    #expect(report.unverified.isEmpty)
  }

  private static let odd: [([UInt8], String)] = [
    ([UInt8](repeating: 0x7A, count: 257), String(repeating: "z", count: 64) + "…"),
    (Array("llama\n".utf8), "llama\n"), ([0x7A, 0xFF], "z\u{FFFD}"), ([], ""),
  ]

  @Test(arguments: odd)
  func `a name that is no plain text is unknown, whatever it names`(name: [UInt8], shown: String)
    throws
  {
    func unknown(_ key: String, tokenizer: String? = nil) throws -> [String] {
      var sample = GGUFSample(architecture: key == "general.architecture" ? nil : "llama")
      if let tokenizer {
        sample = GGUFVocabularyTests.sample(tokenizer)
        sample.add("tokenizer.ggml.merges", texts: ["a b"])
      }
      if key == "tokenizer.ggml.model" { sample.add("tokenizer.ggml.tokens", texts: ["a"]) }
      let length = (0..<8).map { UInt8(truncatingIfNeeded: name.count >> (8 * $0)) }
      sample.add(key, 8, length + name)
      let inspection = try inspect("m.gguf", sample.bytes)
      #expect(inspection.report.fault == nil)
      return inspection.report.unknownToRuntimes
    }
    #expect(try unknown("general.architecture") == ["architecture \(shown)"])
    #expect(try unknown("tokenizer.ggml.model") == ["tokenizer \(shown)"])
    #expect(try unknown("tokenizer.ggml.pre", tokenizer: "gpt2") == ["pre-tokenizer \(shown)"])
    #expect(try unknown("clip.projector_type") == ["projector \(shown)"])
  }

  @Test func `a later shard needs no architecture, and runtimes that know shards`() throws {
    var sample = GGUFSample(architecture: nil)
    sample.add("split.no", 2, [1, 0])
    sample.add("split.count", 2, [2, 0])
    sample.add("split.tensors.count", 5, [3, 0, 0, 0])
    let inspection = try inspect("m-00002-of-00002.gguf", sample.bytes)
    #expect(inspection.problem == nil)
    #expect(inspection.report.runtimes.first?.because == ["split files b2505"])
    let more = inspection.format.more
    #expect(more["shard"] == .integer(1))
    #expect(more["shardCount"] == .integer(2))
    #expect(more["shardTensors"] == .integer(3))
  }
}
