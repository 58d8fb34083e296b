package import Manifests

/// A name that a repository gives to releases, such as `stable`: `[a-z0-9]([a-z0-9._-]{0,30}[a-z0-9])?`.
package struct ChannelName: Hashable, Sendable {
  package static let maximumLength = 32
  /// The channel of who names none.
  package static let stable = ChannelName(known: "stable")

  package let text: String

  /// Reads a name; throws the rule that `text` breaks.
  package init(_ text: String) throws(ManifestError) {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, let last = bytes.last else { throw Self.refused(text, .empty) }
    guard bytes.count <= Self.maximumLength else {
      throw Self.refused(text, .tooLong(limit: Self.maximumLength))
    }
    if let offset = bytes.firstIndex(where: { !Self.isAlphanumeric($0) && !"._-".utf8.contains($0) }
    ) {
      throw Self.refused(text, .badByte(bytes[offset], offset: offset))
    }
    guard Self.isAlphanumeric(first) else { throw Self.refused(text, .startsWith(first)) }
    guard Self.isAlphanumeric(last) else { throw Self.refused(text, .endsWith(last)) }
    self.text = text
  }

  private init(known text: StaticString) { self.text = text.description }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func refused(_ text: String, _ fault: TextFault) -> ManifestError {
    .text(TextProblem(.channel, text, fault))
  }
}

extension ChannelName: Comparable, CustomStringConvertible {
  package static func < (one: ChannelName, other: ChannelName) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  package var description: String { text }
}
