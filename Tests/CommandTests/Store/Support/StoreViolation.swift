/// An invariant of the store that does not hold.
///
///     1  the record is absent, or names a version whose files all match its signed manifest
///     2  what was acknowledged stays until it is replaced or removed
///     3  what was not acknowledged has left the old version active, or the new one whole
///     4  no version counts as ready without a stamp for its very bytes
///     5  collecting never removes what is in use, and nothing while the record cannot be read
///     6  one installer at a time; files are never mixed
///     7  the same command again comes to its end, and leaves nothing behind
///     8  no write leaves the store, and no published file changes
///     9  a failed call is an exit code, and costs nothing
///     10 generations only grow; the floor never falls
///     11 commands that read write nothing, and say what is there
struct StoreViolation: Hashable, CustomStringConvertible, Sendable {
  let invariant: Int
  let what: String

  init(_ invariant: Int, _ what: String) {
    self.invariant = invariant
    self.what = what
  }

  var description: String { "invariant \(invariant): \(what)" }
}

/// What a store may look like after a command.
struct StoreExpectation: Sendable {
  /// The versions of which one must be active; nil for none.
  var active: [String?]
  /// Whether the command came to its end, so that nothing half done may be left.
  var isFinished = false
  /// Whether it was to remove versions, even those that are in use.
  var removes = false
  /// The version that must be whole and stamped, since a repair of it was acknowledged.
  var repairs: String?
}
