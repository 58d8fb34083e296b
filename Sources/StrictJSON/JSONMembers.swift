/// The members of one object of a document, taken by name with exact errors.
///
///     let predicate = try JSONMembers<ManifestError>(document: value).object("predicate")
///     let version = try predicate.string("version")
///     let title = try predicate.optionalString("title")
///     for (name, file) in try predicate.object("files").nodes { … }
///
/// A member that is asked for and absent, or of another kind, throws `Failure.shape` with its path.
/// The `optional` forms return `nil` when the member is absent; `null` is of another kind for them too.
package struct JSONMembers<Failure: JSONShapeFailure>: Sendable {
  package let object: JSONObject
  let place: JSONPath

  init(_ object: JSONObject, at place: JSONPath) {
    self.object = object
    self.place = place
  }

  /// Starts to read a document, which must be an object.
  package init(document value: JSONValue) throws(Failure) {
    self = try JSONNode(document: value).object()
  }

  /// The place, as in `JSONShapeError.path`, for errors of the caller's own.
  package var path: String { place.description }

  /// Returns the place of a member, whether or not there is one.
  package func path(of name: String) -> String { place(of: name).description }

  /// All members in their order, for objects whose names are data.
  package var nodes: [(name: String, node: JSONNode<Failure>)] {
    object.members.map { ($0.name, JSONNode($0.value, at: place(of: $0.name))) }
  }

  /// Returns the names, in their order, that are not among `known`; names compare as bytes.
  package func unknownNames(besides known: [String]) -> [String] {
    object.members.map(\.name).filter { name in !known.contains { hasSameBytes($0, name) } }
  }

  /// Returns a member of any kind.
  package func node(_ name: String) throws(Failure) -> JSONNode<Failure> {
    guard let node = optionalNode(name) else {
      throw .shape(JSONShapeError(path: path(of: name), problem: .missing))
    }
    return node
  }

  /// Returns a member of any kind, or `nil` if it is absent.
  package func optionalNode(_ name: String) -> JSONNode<Failure>? {
    object[name].map { JSONNode($0, at: place(of: name)) }
  }

  private func place(of name: String) -> JSONPath { .member(of: place, name: name) }
}

extension JSONMembers {
  /// Returns the text of a member.
  package func string(_ name: String) throws(Failure) -> String { try node(name).string() }

  /// Returns an integer of `range`, by default one that every JSON reader keeps exactly.
  package func integer(
    _ name: String,
    in range: ClosedRange<Int> = .exactInJSON
  ) throws(Failure) -> Int {
    try node(name).integer(in: range)
  }

  /// Returns `true` or `false`.
  package func boolean(_ name: String) throws(Failure) -> Bool { try node(name).boolean() }

  /// Returns the elements of an array.
  package func array(_ name: String) throws(Failure) -> [JSONNode<Failure>] {
    try node(name).array()
  }

  /// Returns the members of an object.
  package func object(_ name: String) throws(Failure) -> JSONMembers { try node(name).object() }

  /// Returns the texts of an array of strings.
  package func strings(_ name: String) throws(Failure) -> [String] { try node(name).strings() }

  /// Returns the members of each object of an array.
  package func objects(_ name: String) throws(Failure) -> [JSONMembers] { try node(name).objects() }
}

extension JSONMembers {
  /// Returns the text of a member, or `nil` if it is absent.
  package func optionalString(_ name: String) throws(Failure) -> String? {
    try optionalNode(name)?.string()
  }

  /// Returns an integer of `range`, or `nil` if the member is absent.
  package func optionalInteger(
    _ name: String,
    in range: ClosedRange<Int> = .exactInJSON
  ) throws(Failure) -> Int? {
    try optionalNode(name)?.integer(in: range)
  }

  /// Returns the elements of an array, or `nil` if the member is absent.
  package func optionalArray(_ name: String) throws(Failure) -> [JSONNode<Failure>]? {
    try optionalNode(name)?.array()
  }

  /// Returns the members of an object, or `nil` if the member is absent.
  package func optionalObject(_ name: String) throws(Failure) -> JSONMembers? {
    try optionalNode(name)?.object()
  }

  /// Returns the texts of an array of strings, or `nil` if the member is absent.
  package func optionalStrings(_ name: String) throws(Failure) -> [String]? {
    try optionalNode(name)?.strings()
  }

  /// Returns the members of each object of an array, or `nil` if the member is absent.
  package func optionalObjects(_ name: String) throws(Failure) -> [JSONMembers]? {
    try optionalNode(name)?.objects()
  }
}
