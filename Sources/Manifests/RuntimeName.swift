/// The name of a runtime, such as `llama.cpp`: 1 to 64 bytes of `a-z`, `0-9` and `._+-`, letter or
/// digit first.
package struct RuntimeName: Hashable, Sendable {
  package static let maximumLength = 64

  package let text: String

  /// Reads a name; throws the rule that `text` breaks.
  package init(_ text: String) throws(ManifestError) {
    guard let first = text.utf8.first else { throw .text(.runtimeName, text, .empty) }
    guard text.utf8.count <= Self.maximumLength else {
      throw .text(.runtimeName, text, .tooLong(limit: Self.maximumLength))
    }
    for (offset, byte) in text.utf8.enumerated() {
      guard byte.isLowercase || byte.isDigit || "._+-".utf8.contains(byte) else {
        throw .text(.runtimeName, text, .badByte(byte, offset: offset))
      }
    }
    guard first.isLowercase || first.isDigit else {
      throw .text(.runtimeName, text, .startsWith(first))
    }
    self.text = text
  }

  /// Takes a name that the program itself has written down.
  package init(known text: StaticString) { self.text = text.description }
}

extension RuntimeName: CustomStringConvertible {
  package var description: String { text }
}
