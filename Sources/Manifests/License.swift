/// The licence of a release as an SPDX expression, such as `MIT` or `LicenseRef-LFM-1.0`.
///
/// At most 256 bytes of the characters of SPDX expressions: letters, digits, `.-+:()` and single
/// spaces inside. Whether the identifiers exist is not checked: the list grows, and `LicenseRef-`
/// names are free.
package struct License: Hashable, Sendable {
  package static let maximumLength = 256

  package let text: String

  /// Reads an expression; throws the rule that `text` breaks.
  package init(_ text: String) throws(ManifestError) {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, let last = bytes.last else {
      throw .text(.license, text, .empty)
    }
    guard bytes.count <= Self.maximumLength else {
      throw .text(.license, text, .tooLong(limit: Self.maximumLength))
    }
    var previous: UInt8 = 0
    for (offset, byte) in bytes.enumerated() {
      let isAllowed = byte.isLetter || byte.isDigit || ".-+:() ".utf8.contains(byte)
      guard isAllowed, byte != UInt8(ascii: " ") || byte != previous else {
        throw .text(.license, text, .badByte(byte, offset: offset))
      }
      previous = byte
    }
    guard first != UInt8(ascii: " ") else { throw .text(.license, text, .startsWith(first)) }
    guard last != UInt8(ascii: " ") else { throw .text(.license, text, .endsWith(last)) }
    self.text = text
  }
}

extension License: CustomStringConvertible {
  package var description: String { text }
}
