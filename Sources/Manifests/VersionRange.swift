/// Versions of a runtime that a requirement excludes: one, or all from one to another, both
/// included.
package struct VersionRange: Hashable, Sendable {
  /// As in the manifest: `b9000` or `b9000..b9010`.
  package let text: String
  private let lower, upper: RuntimeVersion

  /// Reads `VERSION` or `FROM..TO` in `scheme`; throws the rule that `text` breaks.
  package init(_ text: String, scheme: RuntimeScheme) throws(ManifestError) {
    let bytes = Array(text.utf8)
    let split = bytes.indices.first { bytes[$0...].starts(with: "..".utf8) }
    let ends =
      if let split { [string(bytes[..<split]), string(bytes[(split + 2)...])] } else { [text] }
    var versions: [RuntimeVersion] = []
    for end in ends {
      guard let version = RuntimeVersion(reading: end, as: scheme) else {
        throw .text(.versionRange, text, .badForm(expected: "VERSION or FROM..TO in \(scheme)"))
      }
      versions.append(version)
    }
    guard let lower = versions.first, let upper = versions.last, lower <= upper else {
      throw .text(.versionRange, text, .emptyRange)
    }
    (self.text, self.lower, self.upper) = (text, lower, upper)
  }

  func contains(_ version: RuntimeVersion) -> Bool { lower <= version && version <= upper }
}
