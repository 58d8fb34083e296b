import Manifests
import ModelFormats
import Testing

struct SideFileTests {
  private func inspect(_ path: String, _ text: String) throws -> FileInspection {
    try ModelFormatsTests.inspect(path, Array(text.utf8))
  }

  @Test(arguments: [
    (
      "tokenizer.json",
      "{\"version\": \"1.0\", \"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0}}}"
    ),
    (
      "config.json",
      "{\"model_type\": \"llama\", \"eps\": 1e-05, \"x\": [1.5, -0.25E+3, {\"y\": null}]}"
    ),
    ("tokenizer_config.json", "{\"chat_template\": \"{{ x }}\"}"), ("a.json", "[]"),
    ("vocab.json", "{\"\\u0120a\": 1}"),
    ("merges.txt", "#version: 0.2\n\u{120} t\n"),
    ("chat_template.jinja", "{% for m in messages %}{{ m }}{% endfor %}"),
    ("LICENSE", "MIT"), ("README.md", "# Modell für alle"), ("special_tokens_map.json", " {\n}\n "),
  ])
  func `a right side file has no fault`(path: String, text: String) throws {
    let found = try inspect(path, text)
    #expect(found.problemCode == nil)
    #expect(found.warningCodes == [])
    #expect(found.report.runsCode == nil)
  }

  @Test(arguments: [
    ("tokenizer.json", "{\"version\": \"1.0\"}", "missingKey"),
    ("tokenizer.json", "{\"model\": 1}", "missingKey"),
    ("tokenizer.json", "{\"model\": {}", "truncated"),
    ("config.json", "{\"a\": 1,}", "badEncoding"),
    ("config.json", "{\"a\": 01}", "badEncoding"), ("config.json", "{} x", "trailingBytes"),
    ("config.json", "{\"a\": \"\u{1}\"}", "badEncoding"),
    ("generation_config.json", String(repeating: "[", count: 65), "badEncoding"),
    ("chat_template.jinja", String(repeating: "a", count: 1 << 20 + 1), "tooLong"),
  ])
  func `a broken side file is refused`(path: String, text: String, code: String) throws {
    #expect(try inspect(path, text).problemCode == code)
  }

  @Test func `a text that is not UTF-8 is refused where a runtime reads it`() throws {
    for bytes in [
      [0x61, 0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
    ] as [[UInt8]] {
      #expect(try ModelFormatsTests.inspect("merges.txt", bytes).problemCode == "badEncoding")
      let found = try ModelFormatsTests.inspect("README.md", bytes)
      #expect(found.problemCode == nil)
      #expect(found.warningCodes == [.badEncoding])
    }
    #expect(try inspect("results.json", "{\"loss\": NaN}").warningCodes == [.badEncoding])
  }

  @Test func `code that comes with a model needs a person's agreement`() throws {
    #expect(
      try inspect("config.json", "{\"auto_map\": {\"AutoModel\": \"m.Net\"}}").report.runsCode
        != nil
    )
    #expect(try inspect("tokenizer_config.json", "{\"auto_map\": [\"a\"]}").report.runsCode != nil)
    #expect(try inspect("modeling_x.py", "import os").report.runsCode == "it is Python code")
    #expect(try inspect("config.json", "{\"x\": {\"auto_map\": {}}}").report.runsCode == nil)
    #expect(try inspect("config.json", "{\"auto_map\": null}").report.runsCode == nil)
  }

  @Test func `a configuration tells what the model is`() throws {
    let text = """
      {"model_type": "qwen3", "transformers_version": "4.51.0",\
       "quantization": {"bits": 4, "group_size": 64, "mode": "affine"}, "a": {"model_type": "no"}, "b": [{"model_type": "no"}]}
      """
    let more = try inspect("config.json", text).format.more
    #expect(
      more == [
        "modelType": .text("qwen3"), "transformersVersion": .text("4.51.0"),
        "quantizationBits": .integer(4),
        "quantizationGroupSize": .integer(64), "quantizationMode": .text("affine"),
      ]
    )
  }

  @Test(
    arguments: [
      ("{\"quantization\": {\"group_size\": 64, \"bits\": 4}}", true),
      ("{\"quantization\": {\"bits\": 4}}", false), ("{\"quantization\": 4}", false),
      ("{\"quantization_config\": {\"group_size\": 64, \"bits\": 4}}", false),
      ("{\"model_type\": \"llama\", \"transformers_version\": \"4.51.0\"}", false),
    ]
  )
  func `a quantization as MLX writes it tells no version, so that one must be stated`(
    text: String,
    isMLX: Bool
  ) throws {
    let found = try inspect("config.json", text)
    #expect(found.problem == nil)
    #expect(found.minimums == [])
    let unknown = isMLX ? ["an MLX model, whose files tell no version"] : []
    #expect(found.report.unknownToRuntimes == unknown)
  }

  @Test(arguments: [
    "{{ x.__class__ }}", "{{ f.__globals__ }}", "{% import 'x' %}", "{{ os.system('x') }}",
  ])
  func `words of an attack in a template are a warning`(text: String) throws {
    #expect(try inspect("chat_template.jinja", text).warningCodes.allSatisfy { $0 == .unsafeCode })
    #expect(try !inspect("chat_template.jinja", text).warningCodes.isEmpty)
    #expect(
      try inspect("chat_template.jinja", "{{ kudos.x }} {{ 'important'.y }}").warningCodes == []
    )
  }
}

struct OtherFormatTests {
  @Test(arguments: [
    ("lmgg", "ggml", []), ("fmgg", "ggmf", ["llama.cpp b1"]), ("tjgg", "ggjt", ["llama.cpp b1"]),
    ("algg", "ggla", ["llama.cpp b1"]),
  ])
  func `files from before GGUF tell their kind`(magic: String, kind: String, minimums: [String])
    throws
  {
    let found = try inspect(
      "m.bin",
      Array(magic.utf8) + [1, 0, 0, 0] + [UInt8](repeating: 2, count: 64)
    )
    #expect(found.problemCode == nil)
    #expect(found.format.more["kind"] == .text(kind))
    #expect(found.minimums == minimums)
    #expect(found.report.runtimes.allSatisfy { $0.below == "b1012" })
  }

  @Test func `a file from before GGUF that is too short or too new is refused`() throws {
    #expect(try inspect("m.bin", Array("lmgg".utf8) + [1, 0, 0, 0]).problemCode == "truncated")
    #expect(
      try inspect("m.bin", Array("tjgg".utf8) + [4, 0, 0, 0]).problemCode == "unsupportedVersion"
    )
    #expect(try inspect("m.bin", Array("tjgg".utf8)).problemCode == "truncated")
  }

  @Test func `an engine of TensorRT has no minimum that bytes could tell`() throws {
    let found = try inspect("m.engine", ReleaseFixture.data(64))
    #expect(found.format.name.text == "tensorrt")
    #expect(found.report.unknownToRuntimes.count == 1)
  }
}
