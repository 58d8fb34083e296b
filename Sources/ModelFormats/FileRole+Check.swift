import Manifests

extension FileRole {
  /// What a file of a kind may be called in a manifest; nil where the kind says nothing.
  private static func roles(of kind: FormatFacts.Fact?) -> [FileRole]? {
    switch kind {
    case .text("model"): [.weights, .draft]
    case .text("adapter"): [.adapter]
    case .text("mmproj"): [.projector]
    case .text("vocabulary"): [.vocab, .tokenizer]
    default: nil
    }
  }

  private static let judged: [FileRole] = [.weights, .draft, .adapter, .projector, .vocab]

  /// Returns the contradiction between this role and what a file says that it is.
  ///
  /// Roles of other names explain and decide nothing.
  func contradiction(by facts: FormatFacts) -> StructureFault? {
    guard Self.judged.contains(self), let roles = Self.roles(of: facts.more["kind"]),
      !roles.contains(self)
    else { return nil }
    return StructureFault(
      .roleMismatch,
      at: 0,
      "the role",
      expected: "\(self) as the manifest states",
      found: facts.more["kind"]?.words ?? ""
    )
  }
}
