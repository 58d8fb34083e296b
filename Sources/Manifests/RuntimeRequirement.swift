/// What one runtime must be to load a file or a release.
package struct RuntimeRequirement: Hashable, Sendable {
  package let name: RuntimeName
  package let scheme: RuntimeScheme
  /// The lowest version that works; with `exact`, the only one.
  package let minimum: String
  /// The lowest version that no longer works.
  package let below: String?
  /// Versions in between that don't work.
  package let exclude: [VersionRange]
  /// Where the minimum comes from, such as `architecture lfm2 b5873`.
  package let because: [String]

  let minimumVersion: RuntimeVersion
  let belowVersion: RuntimeVersion?

  /// Takes versions as texts of `scheme`; throws when one isn't, or when nothing satisfies.
  package init(
    name: RuntimeName,
    scheme: RuntimeScheme,
    minimum: String,
    below: String? = nil,
    exclude: [String] = [],
    because: [String] = []
  ) throws(ManifestError) {
    minimumVersion = try Self.version(minimum, scheme)
    belowVersion = try below.map { text throws(ManifestError) in try Self.version(text, scheme) }
    self.exclude = try exclude.map { text throws(ManifestError) in
      try VersionRange(text, scheme: scheme)
    }
    if let below, let belowVersion {
      // Another text than one exact one can't be below or above it.
      guard scheme != .exact, minimumVersion < belowVersion else {
        throw .text(.runtimeVersion, below, .emptyRange)
      }
    }
    self.name = name
    self.scheme = scheme
    self.minimum = minimum
    self.below = below
    self.because = because
  }

  /// Takes what the program itself has written down, in a table of releases; a mistake there ends the program.
  package init(
    known name: RuntimeName,
    scheme: RuntimeScheme,
    minimum: String,
    below: String? = nil,
    because: [String]
  ) {
    do {
      try self.init(name: name, scheme: scheme, minimum: minimum, below: below, because: because)
    } catch {
      preconditionFailure("the table of \(name) has a row that is no requirement: \(error)")
    }
  }

  private static func version(
    _ text: String,
    _ scheme: RuntimeScheme
  ) throws(ManifestError) -> RuntimeVersion {
    guard let version = RuntimeVersion(reading: text, as: scheme) else {
      throw .text(.runtimeVersion, text, .badForm(expected: "a version in the scheme \(scheme)"))
    }
    return version
  }
}

extension RuntimeRequirement {
  /// Returns what `statements` say about this requirement; of two about one runtime, the first
  /// counts.
  ///
  /// The version in the statement is judged in this order: unknown, another exact one, too old, too
  /// new, excluded.
  package func state(given statements: [RuntimeStatement]) -> RuntimeState {
    guard !statements.isEmpty else { return .undetermined }
    guard let statement = statements.first(where: { $0.name == name }) else { return .otherRuntime }
    guard let version = RuntimeVersion(reading: statement.version, as: scheme) else {
      return .undetermined
    }
    if scheme == .exact { return version == minimumVersion ? .satisfied : .exactMismatch }
    if version < minimumVersion { return .tooOld }
    if let belowVersion, version >= belowVersion { return .tooNew }
    return exclude.contains { $0.contains(version) } ? .excluded : .satisfied
  }
}

extension RuntimeRequirement: CustomStringConvertible {
  /// The requirement as in `llama.cpp ≥ b5873 (architecture lfm2 b5873)`, safe to print.
  package var description: String {
    var text = "\(name) \(scheme == .exact ? "=" : "≥") \(escaped(minimum))"
    if let below { text += " and < \(escaped(below))" }
    for range in exclude { text += ", not \(escaped(range.text))" }
    return because.isEmpty ? text : "\(text) (\(escaped(because.joined(separator: ", "))))"
  }
}
