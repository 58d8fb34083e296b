/// A document that is well formed but doesn't have the shape that its reader asked for.
package struct JSONShapeError: Error, Equatable, Sendable {
  /// What a reader can miss.
  package enum Problem: Equatable, Sendable {
    /// The object has no member of this name.
    case missing
    /// The value is of another kind.
    case wrongType(expected: JSONValue.Kind, found: JSONValue.Kind)
    /// The integer is not among those allowed.
    case outOfRange(Int64, allowed: ClosedRange<Int64>)
  }

  /// The place, as in `predicate.files["a b.gguf"].size`; empty for the document itself.
  ///
  /// It is printable ASCII, whatever the document holds.
  package let path: String
  package let problem: Problem

  package init(path: String, problem: Problem) {
    self.path = path
    self.problem = problem
  }
}

extension JSONShapeError: CustomStringConvertible {
  package var description: String { "\(path.isEmpty ? "the document" : path) \(problem)" }
}

extension JSONShapeError.Problem: CustomStringConvertible {
  /// What follows the place in a sentence.
  package var description: String {
    switch self {
    case .missing: "is missing"
    case .wrongType(let expected, let found): "must be \(expected), not \(found)"
    case .outOfRange(let value, let allowed):
      "must be from \(allowed.lowerBound) to \(allowed.upperBound), not \(value)"
    }
  }
}

/// The error type of a module that reads documents.
///
/// An enum conforms by having `case shape(JSONShapeError)`. `JSONNode` and `JSONMembers` then throw
/// that enum, so a function that also applies rules of its own needs no `catch` to translate.
package protocol JSONShapeFailure: Error {
  /// Turns a document of another shape into the module's own error.
  static func shape(_ error: JSONShapeError) -> Self
}

extension JSONShapeError: JSONShapeFailure {
  package static func shape(_ error: JSONShapeError) -> JSONShapeError { error }
}
