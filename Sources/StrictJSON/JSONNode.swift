/// A value together with its place in a document, read as the kind that the caller expects.
///
/// Nothing is converted: `null` is not an absent member, and `1` is not `true`.
package struct JSONNode<Failure: JSONShapeFailure>: Sendable {
  package let value: JSONValue
  let place: JSONPath

  init(_ value: JSONValue, at place: JSONPath) {
    self.value = value
    self.place = place
  }

  /// Starts to read a document.
  package init(document value: JSONValue) { self.init(value, at: .document) }

  /// The place, as in `JSONShapeError.path`, for errors of the caller's own.
  package var path: String { place.description }

  /// Returns the text of a string.
  package func string() throws(Failure) -> String {
    guard case .string(let text) = value else { throw wrongType(expected: .string) }
    return text
  }

  /// Returns an integer of `range`, by default one that every JSON reader keeps exactly.
  package func integer(in range: ClosedRange<Int> = .exactInJSON) throws(Failure) -> Int {
    guard case .integer(let number) = value else { throw wrongType(expected: .integer) }
    let allowed = Int64(range.lowerBound)...Int64(range.upperBound)
    guard allowed.contains(number) else { throw failure(.outOfRange(number, allowed: allowed)) }
    return Int(number)
  }

  /// Returns `true` or `false`.
  package func boolean() throws(Failure) -> Bool {
    guard case .boolean(let flag) = value else { throw wrongType(expected: .boolean) }
    return flag
  }

  /// Returns the elements of an array.
  package func array() throws(Failure) -> [JSONNode] {
    guard case .array(let elements) = value else { throw wrongType(expected: .array) }
    return elements.enumerated().map { JSONNode($1, at: .element(of: place, index: $0)) }
  }

  /// Returns the members of an object.
  package func object() throws(Failure) -> JSONMembers<Failure> {
    guard case .object(let object) = value else { throw wrongType(expected: .object) }
    return JSONMembers(object, at: place)
  }

  /// Returns the texts of an array of strings.
  package func strings() throws(Failure) -> [String] {
    try array().map { element throws(Failure) in try element.string() }
  }

  /// Returns the members of each object of an array.
  package func objects() throws(Failure) -> [JSONMembers<Failure>] {
    try array().map { element throws(Failure) in try element.object() }
  }

  private func wrongType(expected: JSONValue.Kind) -> Failure {
    failure(.wrongType(expected: expected, found: value.kind))
  }

  private func failure(_ problem: JSONShapeError.Problem) -> Failure {
    .shape(JSONShapeError(path: path, problem: problem))
  }
}

extension ClosedRange<Int> {
  /// From 0 to 2^53 - 1: the integers that readers which use floating point keep exactly.
  package static var exactInJSON: ClosedRange<Int> { 0...(1 << 53 - 1) }
}
