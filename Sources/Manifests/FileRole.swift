/// What a file is for: 1 to 32 ASCII letters, digits and hyphens, letter first.
///
/// The names below are the ones that Sealift gives. Others are kept as they are: a role explains,
/// it decides nothing.
package struct FileRole: Hashable, Sendable {
  package static let maximumLength = 32

  package static let weights = FileRole(known: "weights")
  package static let index = FileRole(known: "index")
  package static let projector = FileRole(known: "projector")
  package static let draft = FileRole(known: "draft")
  package static let adapter = FileRole(known: "adapter")
  package static let tokenizer = FileRole(known: "tokenizer")
  package static let config = FileRole(known: "config")
  package static let chatTemplate = FileRole(known: "chatTemplate")
  package static let vocab = FileRole(known: "vocab")
  package static let license = FileRole(known: "license")
  package static let card = FileRole(known: "card")
  package static let provenance = FileRole(known: "provenance")
  package static let other = FileRole(known: "other")

  package let text: String

  /// Reads a role; throws the rule that `text` breaks.
  package init(_ text: String) throws(ManifestError) {
    guard let first = text.utf8.first else { throw .text(.role, text, .empty) }
    guard text.utf8.count <= Self.maximumLength else {
      throw .text(.role, text, .tooLong(limit: Self.maximumLength))
    }
    for (offset, byte) in text.utf8.enumerated() {
      guard byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") else {
        throw .text(.role, text, .badByte(byte, offset: offset))
      }
    }
    guard first.isLetter else { throw .text(.role, text, .startsWith(first)) }
    self.text = text
  }

  private init(known text: String) { self.text = text }
}

extension FileRole: CustomStringConvertible {
  package var description: String { text }
}
