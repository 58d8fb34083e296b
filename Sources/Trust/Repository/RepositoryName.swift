package import Manifests

/// The name that a client gives to a repository: `[A-Za-z0-9][A-Za-z0-9._-]{0,62}`.
///
/// It is also the name of the folder with the repository's metadata, so two names that differ only in case are the
/// same repository for those who compare with ``collides(with:)``.
package struct RepositoryName: Hashable, Sendable {
  package static let maximumLength = 63

  package let text: String

  /// Reads a name; throws the rule that `text` breaks.
  package init(_ text: String) throws(ManifestError) {
    let bytes = Array(text.utf8)
    guard let first = bytes.first else { throw Self.refused(text, .empty) }
    guard bytes.count <= Self.maximumLength else {
      throw Self.refused(text, .tooLong(limit: Self.maximumLength))
    }
    if let offset = bytes.firstIndex(where: { !$0.isAlphanumeric && !"._-".utf8.contains($0) }) {
      throw Self.refused(text, .badByte(bytes[offset], offset: offset))
    }
    guard first.isAlphanumeric else { throw Self.refused(text, .startsWith(first)) }
    self.text = text
  }

  /// Whether both would have one folder on a system that ignores case.
  package func collides(with other: RepositoryName) -> Bool {
    text.lowercased() == other.text.lowercased()
  }

  private static func refused(_ text: String, _ fault: TextFault) -> ManifestError {
    .text(TextProblem(.repository, text, fault))
  }
}

extension RepositoryName: Comparable, CustomStringConvertible {
  package static func < (one: RepositoryName, other: RepositoryName) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  package var description: String { text }
}

extension UInt8 {
  fileprivate var isAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
