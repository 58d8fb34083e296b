extension SampleModel {
  /// A GGUF file of version 3 with an architecture and one F32 tensor `a` of `elements` numbers.
  ///
  /// It has no tokenizer, so readers of its structure take it and runtimes do not run it.
  package static func gguf(
    architecture: String = "llama",
    elements: Int = 8,
    seed: UInt64 = 1
  ) -> [UInt8] {
    let alignment = 32
    var bytes = Array("GGUF".utf8) + littleEndian(UInt32(3))
    bytes += littleEndian(Int64(1)) + littleEndian(Int64(1))
    bytes += text("general.architecture") + littleEndian(Int32(8)) + text(architecture)
    bytes += text("a") + littleEndian(UInt32(1)) + littleEndian(UInt64(elements))
    bytes += littleEndian(Int32(0)) + littleEndian(UInt64(0))
    bytes += padding(bytes.count, to: alignment)
    bytes += weights(elements, seed: seed)
    return bytes + padding(bytes.count, to: alignment)
  }

  /// One of `count` shards of a GGUF model, with one F32 tensor, which is named for the number of the shard.
  package static func gguf(
    shard index: Int,
    of count: Int,
    elements: Int = 8,
    seed: UInt64 = 1
  ) -> [UInt8] {
    let alignment = 32
    var bytes = Array("GGUF".utf8) + littleEndian(UInt32(3))
    bytes += littleEndian(Int64(1)) + littleEndian(Int64(4))
    bytes += text("general.architecture") + littleEndian(Int32(8)) + text("llama")
    bytes += text("split.no") + littleEndian(Int32(2)) + littleEndian(UInt16(index))
    bytes += text("split.count") + littleEndian(Int32(2)) + littleEndian(UInt16(count))
    bytes += text("split.tensors.count") + littleEndian(Int32(5)) + littleEndian(Int32(count))
    bytes += text("t\(index)") + littleEndian(UInt32(1)) + littleEndian(UInt64(elements))
    bytes += littleEndian(Int32(0)) + littleEndian(UInt64(0))
    bytes += padding(bytes.count, to: alignment)
    bytes += weights(elements, seed: seed)
    return bytes + padding(bytes.count, to: alignment)
  }

  private static func text(_ text: String) -> [UInt8] {
    littleEndian(UInt64(text.utf8.count)) + Array(text.utf8)
  }

  static func padding(_ count: Int, to alignment: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: (alignment - count % alignment) % alignment)
  }
}
