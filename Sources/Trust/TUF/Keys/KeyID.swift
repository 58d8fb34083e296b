import Manifests

/// The name under which metadata lists a key: by rule the SHA-256 of the key object, in a file whatever it says.
package struct KeyID: Hashable, Sendable {
  private let id: ExactText

  package var text: String { id.text }

  package init(_ text: String) { id = ExactText(text) }
}

extension KeyID: CustomStringConvertible {
  /// The name, fit for a terminal.
  package var description: String { escaped(text) }
}

extension KeyID: Comparable {
  package static func < (one: KeyID, other: KeyID) -> Bool { one.id < other.id }
}
