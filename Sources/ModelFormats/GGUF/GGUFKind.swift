/// What a GGUF file is for.
enum GGUFKind: String {
  case model, adapter, projector = "mmproj", imatrix, vocabulary

  /// Tells the kind from the keys; a file without tensors is a vocabulary unless it is one of a set.
  init(_ metadata: GGUFMetadata, tensorCount: Int) {
    let isShard = (metadata.integer(GGUFKeys.shardCount) ?? 0) > 1
    switch (metadata.text(GGUFKeys.kind), metadata.text(GGUFKeys.architecture)) {
    case ("adapter", _): self = .adapter
    case ("imatrix", _): self = .imatrix
    case ("mmproj", _), (_, "clip"): self = .projector
    default: self = tensorCount == 0 && !isShard ? .vocabulary : .model
    }
  }
}
