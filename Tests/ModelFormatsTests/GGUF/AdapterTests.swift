import Manifests
import ModelFormats
import Testing

/// An adapter beside the model that it changes.
struct AdapterTests {
  typealias Shape = (name: String, dimensions: [UInt64])

  static func file(_ tensors: [Shape], architecture: String = "llama", isAdapter: Bool = true)
    -> [UInt8]
  {
    var sample = GGUFSample(architecture: architecture)
    if isAdapter {
      sample.add("general.type", text: "adapter")
      sample.add("adapter.type", text: "lora")
    }
    sample.tensors = tensors.map { tensor in
      GGUFSample.Tensor(
        name: Array(tensor.name.utf8),
        dimensions: tensor.dimensions,
        size: Int(tensor.dimensions.reduce(4, *))
      )
    }
    return sample.bytes
  }

  /// A model whose tensor `a` takes 8 numbers and gives 16, and whose embedding has 32 rows of 8.
  static let model = file([("a", [8, 16]), ("token_embd.weight", [8, 32])], isAdapter: false)

  private func release(_ tensors: [Shape], model: [UInt8]? = model, architecture: String = "llama")
    throws -> ReleaseFixture
  {
    var files = ["lora.gguf": Self.file(tensors, architecture: architecture)]
    files["m.gguf"] = model
    let release = try ReleaseFixture(files)
    #expect(release.fileProblems == [])
    return release
  }

  static let fitting: [Shape] = [("a.lora_a", [8, 4]), ("a.lora_b", [4, 16])]

  @Test func `an adapter of pairs that fit their tensors is right, and tells its kind`() throws {
    let release = try release(Self.fitting)
    #expect(release.problems == [])
    #expect(release.warnings == [])
    let more = release.inspections[0].format.more
    #expect(more["kind"] == .text("adapter"))
    #expect(more["adapter"] == .text("lora"))
    #expect(release.inspections[0].minimums == ["llama.cpp b3400"])
  }

  @Test(
    arguments: [
      ("no such tensor", [("b.lora_a", [8, 4]), ("b.lora_b", [4, 16])], "llama"),
      ("another architecture", fitting, "qwen2"),
      ("half a pair", [("a.lora_a", [8, 4])], "llama"),
      ("the other half", [("a.lora_b", [4, 16])], "llama"),
    ] as [(String, [Shape], String)]
  )
  func `what the runtime refuses is refused`(name: String, tensors: [Shape], architecture: String)
    throws
  {
    let release = try release(tensors, architecture: architecture)
    #expect(release.problems == ["lora.gguf roleMismatch"], "\(name)")
  }

  @Test(
    arguments: [
      ("rows of another length", [("a.lora_a", [16, 4]), ("a.lora_b", [4, 16])], true),
      ("another count of rows", [("a.lora_a", [8, 4]), ("a.lora_b", [4, 8])], true),
      ("halves of another rank", [("a.lora_a", [8, 4]), ("a.lora_b", [2, 16])], true),
      (
        "an embedding",
        [("token_embd.weight.lora_a", [8, 4]), ("token_embd.weight.lora_b", [4, 32])],
        false
      ),
      (
        "an embedding that is stored transposed",
        [("token_embd.weight.lora_a", [4, 32]), ("token_embd.weight.lora_b", [4, 8])], false
      ),
    ] as [(String, [Shape], Bool)]
  )
  func `halves that don't fit their tensor are a warning`(
    name: String,
    tensors: [Shape],
    isWarned: Bool
  ) throws {
    let release = try release(tensors)
    #expect(release.problems == [], "\(name)")
    #expect(release.warnings == (isWarned ? ["lora.gguf roleMismatch"] : []), "\(name)")
  }

  @Test func `an adapter without its model is a warning`() throws {
    let release = try release(Self.fitting, model: nil)
    #expect(release.problems == [])
    #expect(release.warnings == ["lora.gguf roleMismatch"])
  }
}
