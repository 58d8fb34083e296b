import StrictJSON

/// What people have said about versions, as a sealed document.
protocol SealedMarks: Hashable, Sendable {
  init()
  init?(_ members: JSONMembers<JSONShapeError>) throws
  var object: JSONObject { get }
}
