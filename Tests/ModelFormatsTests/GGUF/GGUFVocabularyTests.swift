import Manifests
import ModelFormats
import Testing

/// The tokenizer in a GGUF file: lists that a runtime reads by one index.
struct GGUFVocabularyTests {
  typealias Change = @Sendable (inout GGUFSample) -> Void

  /// A file with `tokens` tokens, and an embedding of `rows` rows.
  static func sample(
    _ model: String = "llama",
    tokens: Int = 4,
    rows: UInt64? = 4,
    change: Change = { _ in }
  ) -> GGUFSample {
    var sample = GGUFSample()
    sample.add("tokenizer.ggml.model", text: model)
    sample.add("tokenizer.ggml.tokens", texts: (0..<tokens).map { "t\($0)" })
    if let rows {
      sample.tensors = [
        GGUFSample.Tensor(
          name: Array("token_embd.weight".utf8),
          dimensions: [8, rows],
          size: Int(rows) * 32
        )
      ]
    }
    change(&sample)
    return sample
  }

  static let lists: [(String, FaultCode, Change)] = [
    (
      "scores of u8", .badType, { $0.add("tokenizer.ggml.scores", zeros: 4, ofType: 0, bytes: 1) }
    ),
    (
      "too few scores", .tokenizerMismatch,
      { $0.add("tokenizer.ggml.scores", zeros: 3, ofType: 6, bytes: 4) }
    ),
    (
      "types of u32", .badType,
      { $0.add("tokenizer.ggml.token_type", zeros: 4, ofType: 4, bytes: 4) }
    ),
    (
      "too few types", .tokenizerMismatch,
      { $0.add("tokenizer.ggml.token_type", zeros: 1, ofType: 5, bytes: 4) }
    ),
    (
      "scores that are one number", .badType,
      { $0.add("tokenizer.ggml.scores", 6, [0, 0, 0, 0]) }
    ),
  ]

  @Test(arguments: lists)
  func `lists of another type or too short are refused`(
    name: String,
    code: FaultCode,
    change: Change
  ) throws {
    let problem = try inspect("m.gguf", Self.sample(change: change).bytes).problem
    #expect(problem?.fault.code == code.rawValue, "\(name)")
  }

  static let doubtful: [Change] = [
    { $0.add("tokenizer.ggml.scores", zeros: 9, ofType: 6, bytes: 4) },
    { $0.add("tokenizer.ggml.bos_token_id", u32: 4) },
    { $0.add("tokenizer.ggml.bos_token_id", u32: 99_999) },
  ]

  @Test(arguments: doubtful)
  func `lists that are too long and tokens that don't exist are warned about`(change: Change) throws
  {
    let inspection = try inspect("m.gguf", Self.sample(change: change).bytes)
    #expect(inspection.problem == nil)
    #expect(inspection.report.warnings.map(\.code) == [.tokenizerMismatch])
  }

  @Test func `the last token may be a special one`() throws {
    let sample = Self.sample { $0.add("tokenizer.ggml.bos_token_id", u32: 3) }
    #expect(try inspect("m.gguf", sample.bytes).report.warnings.isEmpty)
  }

  @Test func `an embedding of other rows than tokens is refused`() throws {
    let sample = Self.sample(tokens: 3, rows: 4) { $0.add("llama.vocab_size", u32: 4) }
    let problem = try inspect("m.gguf", sample.bytes).problem
    #expect(problem?.fault.code == "tokenizerMismatch")
  }

  @Test(
    arguments: [
      ("gpt2", nil, true), ("gpt2", "kimi-k2", false), ("gemma4", nil, true), ("llama", nil, false),
      ("bert", nil, false),
    ] as [(String, String?, Bool)]
  )
  func `merges are demanded where they are used`(model: String, rule: String?, isNeeded: Bool)
    throws
  {
    let sample = Self.sample(model) { if let rule { $0.add("tokenizer.ggml.pre", text: rule) } }
    let code = try inspect("m.gguf", sample.bytes).problem?.fault.code
    #expect(code == (isNeeded ? "missingKey" : nil))
    let merged = GGUFSample.with {
      $0 = sample; $0.add("tokenizer.ggml.merges", texts: ["a b"])
    }
    #expect(try inspect("m.gguf", merged.bytes).problem == nil)
  }

  @Test func `a tokenizer without tokens is refused, unless it needs none`() throws {
    var sample = GGUFSample()
    sample.add("tokenizer.ggml.model", text: "llama")
    #expect(try inspect("m.gguf", sample.bytes).problem?.fault.code == "missingKey")
    for name in ["none", "no_vocab"] {
      var sample = GGUFSample()
      sample.add("tokenizer.ggml.model", text: name)
      #expect(try inspect("m.gguf", sample.bytes).problem == nil)
    }
  }

  @Test func `an unknown tokenizer is neither right nor wrong, and the known needs stay`() throws {
    let report = try inspect("m.gguf", Self.sample("zzz").bytes).report
    #expect(report.unverified.map(\.code) == [.unknownTokenizer])
    #expect(report.runtimes.map(\.minimum) == ["b1405"])
    #expect(report.unknownToRuntimes == ["tokenizer zzz"])
  }

  @Test(arguments: [("<0x0A>", true), ("<0x0a>", false), ("<0xA>", false), ("a", false)])
  func `tokens for bytes are written as the runtime parses them`(token: String, isRight: Bool)
    throws
  {
    var sample = GGUFSample()
    sample.add("tokenizer.ggml.model", text: "plamo2")
    sample.add("tokenizer.ggml.tokens", texts: ["a", token])
    let types = Files.number(1, bytes: 4) + Files.number(6, bytes: 4)
    let array = Files.number(5, bytes: 4) + Files.number(2, bytes: 8) + types
    sample.add("tokenizer.ggml.token_type", 9, array)
    let code = try inspect("m.gguf", sample.bytes).problem?.fault.code
    #expect(code == (isRight ? nil : "tokenizerMismatch"))
  }
}
