package import Manifests

extension FormatFacts {
  /// Returns the first fact that a manifest states and that the bytes contradict.
  ///
  /// Facts that only one side knows are no difference: a later version of either program derives more.
  /// Neither is what has been agreed to, since what can't be checked depends on who checks.
  package func contradiction(by found: FormatFacts) -> StructureFault? {
    guard name != .other, found.name != .other else { return nil }
    guard name == found.name else { return Self.fault("the format", name.text, found.name.text) }
    if let version, let other = found.version, version != other {
      return Self.fault("the version", String(version), String(other))
    }
    if let architecture, let other = found.architecture,
      !architecture.utf8.elementsEqual(other.utf8)
    {
      return Self.fault("the architecture", architecture, other)
    }
    if !types.isEmpty, !found.types.isEmpty, Set(types) != Set(found.types) {
      return Self.fault(
        "the types",
        types.sorted().joined(separator: " "),
        found.types.sorted().joined(separator: " ")
      )
    }
    for (fact, value) in more.sorted(by: { $0.key < $1.key })
    where fact != FormatReport.unverifiedFact {
      guard let other = found.more[fact], other != value else { continue }
      return Self.fault(fact, value.words, other.words)
    }
    return nil
  }

  private static func fault(
    _ subject: String,
    _ stated: String,
    _ found: String
  ) -> StructureFault {
    StructureFault(
      .formatFactsMismatch,
      at: 0,
      subject,
      expected: "\(stated) as the manifest states",
      found: found
    )
  }
}

extension FormatFacts.Fact {
  /// The fact in a few words, which may hold any text.
  package var words: String {
    switch self {
    case .integer(let value): String(value)
    case .text(let text): text
    case .list(let texts): texts.joined(separator: ", ")
    case .counts(let counts):
      counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
  }
}
