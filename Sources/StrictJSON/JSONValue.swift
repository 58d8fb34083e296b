/// A JSON value without fractions: what signed documents are made of.
///
/// Two values are equal when they have the same shape, the same integers and the same bytes of text.
/// The order of an object's members doesn't count, and no Unicode equivalence is applied.
package enum JSONValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue: Equatable {
  package static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.boolean(let one), .boolean(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.string(let one), .string(let other)): hasSameBytes(one, other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    default: false
    }
  }
}

extension JSONValue {
  /// The kinds of value that a document can hold.
  package enum Kind: Sendable, Hashable, CaseIterable {
    case null, boolean, integer, string, array, object
  }

  /// Which of the six kinds this value is.
  package var kind: Kind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

extension JSONValue.Kind: CustomStringConvertible {
  /// The kind with its article, as it stands in a sentence: `an object`.
  package var description: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .integer: "an integer"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// Compares two texts as UTF-8 bytes, where `==` would take `é` and `e` with an accent for the same.
func hasSameBytes(_ one: String, _ other: String) -> Bool {
  one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8)
}
