// Literals let a document be written down as it will look:
//     let mirror: JSONValue = ["name": "north", "ports": [80, 443], "default": true]
// There is none for `null`: `nil` means "no member" in `JSONObject`, and the two must not be mixed up.

extension JSONValue: ExpressibleByBooleanLiteral {
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// Makes an object whose members keep the order of the literal.
  ///
  /// A name that stands there twice is a mistake in the program and stops it.
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(JSONObject(uniqueMembers: members))
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object whose members keep the order of the literal.
  ///
  /// A name that stands there twice is a mistake in the program and stops it.
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init(uniqueMembers: members)
  }
}
