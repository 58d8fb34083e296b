/// The pairs of tensors in an adapter, by the name of the tensor that each changes.
struct AdapterPairs {
  /// The shapes of both halves; nil for one that the adapter lacks.
  struct Pair {
    fileprivate(set) var down: [UInt64]?
    fileprivate(set) var up: [UInt64]?

    /// Whether the halves, one after the other, take and give what a tensor of these dimensions does.
    ///
    /// Some adapters store the change of the embedding transposed.
    func fits(_ dimensions: [UInt64], isEmbedding: Bool) -> Bool {
      guard let down, let up else { return false }
      let isUsual = down[0] == dimensions[0] && up[1] == dimensions[1] && down[1] == up[0]
      let isTransposed = up[1] == dimensions[0] && down[1] == dimensions[1] && down[0] == up[0]
      return isUsual || (isEmbedding && isTransposed)
    }
  }

  /// Pairs beyond these are not compared.
  private static let maximumCount = 65_536

  /// In the order of the file.
  private(set) var names: [[UInt8]] = []
  private var pairs: [[UInt8]: Pair] = [:]

  /// Walks an adapter that was found well-formed before.
  init(_ reader: inout FormatReader) throws(FormatStop) {
    var (names, pairs): ([[UInt8]], [[UInt8]: Pair]) = ([], [:])
    try GGUFTensorNames.walk(&reader) { tensor in
      let (name, ending) = (Array(tensor.name.dropLast(7)), tensor.name.suffix(7))
      let isDown = ending.elementsEqual(".lora_a".utf8)
      guard isDown || ending.elementsEqual(".lora_b".utf8) else { return }
      if pairs[name] == nil {
        guard names.count < Self.maximumCount else { return }
        names.append(name)
      }
      if isDown {
        pairs[name, default: Pair()].down = tensor.dimensions
      } else {
        pairs[name, default: Pair()].up = tensor.dimensions
      }
    }
    (self.names, self.pairs) = (names, pairs)
  }

  subscript(name: [UInt8]) -> Pair? { pairs[name] }

  /// The first tensor of which only one half is there.
  var firstHalf: [UInt8]? {
    names.first { pairs[$0]?.down == nil || pairs[$0]?.up == nil }
  }
}
