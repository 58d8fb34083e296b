extension RuntimeRequirement {
  /// How a reason begins that says that a publisher insisted on less than the bytes need.
  private static let forcedReason = "forced below "

  /// Whether both speak of one runtime and count its versions in one way.
  package func isComparable(with other: RuntimeRequirement) -> Bool {
    name == other.name && scheme == other.scheme
  }

  /// Whether nothing satisfies this that is too old for `other`.
  package func isAtLeast(_ other: RuntimeRequirement) -> Bool {
    isComparable(with: other) && !(minimumVersion < other.minimumVersion)
  }

  /// Whether its publisher insisted on less than the bytes need.
  package var isForced: Bool {
    because.contains { $0.utf8.starts(with: Self.forcedReason.utf8) }
  }

  /// Returns what satisfies both; the reasons are those of the higher minimum, or of both if they are equal.
  package func merged(with other: RuntimeRequirement) throws(ManifestError) -> RuntimeRequirement {
    let isLower = minimumVersion < other.minimumVersion
    let isHigher = other.minimumVersion < minimumVersion
    let reasons = isLower ? other.because : isHigher ? because : because + other.because
    return try with(isLower ? other.minimum : minimum, other, because: reasons)
  }

  /// Returns what satisfies both, with all reasons: those of a publisher, and those of the bytes.
  package func joined(with need: RuntimeRequirement) throws(ManifestError) -> RuntimeRequirement {
    try with(minimum, need, because: because + need.because)
  }

  /// Returns the same requirement, which says what it leaves unmet.
  package func forced(below need: RuntimeRequirement) throws(ManifestError) -> RuntimeRequirement {
    let reason = "\(Self.forcedReason)\(need.minimum) (\(need.because.joined(separator: ", ")))"
    return try RuntimeRequirement(
      name: name,
      scheme: scheme,
      minimum: minimum,
      below: below,
      exclude: exclude.map(\.text),
      because: because + [reason]
    )
  }

  private func with(
    _ minimum: String,
    _ other: RuntimeRequirement,
    because reasons: [String]
  ) throws(ManifestError) -> RuntimeRequirement {
    var below = self.below ?? other.below
    if let own = belowVersion, let others = other.belowVersion, others < own { below = other.below }
    var seen: Set<String> = []
    return try RuntimeRequirement(
      name: name,
      scheme: scheme,
      minimum: minimum,
      below: below,
      exclude: (exclude + other.exclude).map(\.text).filter { seen.insert($0).inserted },
      because: reasons.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    )
  }

  /// Merges the needs of several files: one requirement for each runtime, in the order of the first.
  package static func merged(
    _ needs: [RuntimeRequirement]
  ) throws(ManifestError) -> [RuntimeRequirement] {
    var merged: [RuntimeRequirement] = []
    for need in needs {
      if let index = merged.firstIndex(where: { $0.isComparable(with: need) }) {
        merged[index] = try merged[index].merged(with: need)
      } else {
        merged.append(need)
      }
    }
    return merged
  }
}
