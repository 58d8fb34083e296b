/// How the versions of a runtime are written and compared.
package enum RuntimeScheme: String, Hashable, Sendable, CaseIterable {
  /// A counter: `b5873`, `5873` or `b5873-1a2b3c4`.
  case build
  /// Semantic versions, with or without a `v`; missing parts are 0.
  case semver
  /// Any count of integers between dots, compared part by part; missing parts are 0.
  case dotted
  /// Only the same text satisfies.
  case exact

  /// Reads the name of a scheme; an unknown one throws, because what it demands is unknown too.
  package init(_ text: String) throws(ManifestError) {
    guard let scheme = RuntimeScheme(rawValue: text) else {
      throw .text(.runtimeScheme, text, .badForm(expected: "build, semver, dotted or exact"))
    }
    self = scheme
  }
}
