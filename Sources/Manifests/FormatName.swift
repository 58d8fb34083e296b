/// The name of a file format, such as `gguf`: 1 to 64 bytes of `a-z`, `0-9`, `.` and `-`, letter or
/// digit first.
package struct FormatName: Hashable, Sendable {
  package static let maximumLength = 64

  /// The format of a file that nothing more is known about.
  package static let other = FormatName(known: "other")

  package let text: String

  /// Reads a name; throws the rule that `text` breaks.
  package init(_ text: String) throws(ManifestError) {
    guard let first = text.utf8.first else { throw .text(.formatName, text, .empty) }
    guard text.utf8.count <= Self.maximumLength else {
      throw .text(.formatName, text, .tooLong(limit: Self.maximumLength))
    }
    for (offset, byte) in text.utf8.enumerated() {
      guard byte.isLowercase || byte.isDigit || ".-".utf8.contains(byte) else {
        throw .text(.formatName, text, .badByte(byte, offset: offset))
      }
    }
    guard first.isLowercase || first.isDigit else {
      throw .text(.formatName, text, .startsWith(first))
    }
    self.text = text
  }

  /// Takes a name that the program itself has written down.
  package init(known text: StaticString) { self.text = text.description }
}

extension FormatName: CustomStringConvertible {
  package var description: String { text }
}
