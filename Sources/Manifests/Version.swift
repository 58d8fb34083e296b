/// The version of a release: Semantic Versioning 2.0.0 without build metadata, at most 128 bytes.
///
/// Ordered by SemVer precedence (§11). Numbers may have any length: they are compared as digits.
/// Two versions are equal exactly when their texts are.
package struct Version: Hashable, Sendable {
  package static let maximumLength = 128

  package let text: String

  /// Reads a version; throws the rule that `text` breaks.
  package init(_ text: String) throws(ManifestError) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { throw .text(.version, text, .empty) }
    guard bytes.count <= Self.maximumLength else {
      throw .text(.version, text, .tooLong(limit: Self.maximumLength))
    }
    guard !bytes.contains(UInt8(ascii: "+")) else { throw .text(.version, text, .buildMetadata) }
    let precedence: SemanticPrecedence
    do {
      precedence = try SemanticPrecedence(bytes)
    } catch {
      throw .text(.version, text, error.fault)
    }
    self.text = text
    self.precedence = precedence
  }

  private let precedence: SemanticPrecedence
}

extension Version: Comparable, CustomStringConvertible {
  package static func < (left: Version, right: Version) -> Bool {
    left.precedence < right.precedence
  }

  package var description: String { text }
}
