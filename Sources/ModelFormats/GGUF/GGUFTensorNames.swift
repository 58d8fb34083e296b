/// The names of the tensors in a GGUF file that was found well-formed before.
enum GGUFTensorNames {
  /// Calls `body` for each tensor of the file.
  static func walk(
    _ reader: inout FormatReader,
    _ body: (GGUFTensor) -> Void
  ) throws(FormatStop) {
    let (version, isBigEndian) = try GGUFPrologue.version(&reader)
    let prologue = try GGUFPrologue(version: version, isBigEndian: isBigEndian, counts: &reader)
    var ignored = FormatReport(.gguf)
    _ = try GGUFMetadata(prologue, &reader, into: &ignored)
    for _ in 0..<prologue.tensorCount {
      body(try GGUFTensor(&reader, isWide: prologue.isWide))
    }
  }

  /// The hashes of all names, which are enough to compare: two names share one with odds of 1 to 2^64,
  /// under a key that differs in every process.
  static func hashes(_ reader: inout FormatReader) throws(FormatStop) -> Set<Int> {
    var hashes = Set<Int>()
    try walk(&reader) { hashes.insert($0.name.hashValue) }
    return hashes
  }
}
