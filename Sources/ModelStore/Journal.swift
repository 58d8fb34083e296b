import StrictJSON

/// What is being done with a candidate: `journal.json` beside it.
package struct Journal: Hashable, Sendable {
  package enum Phase: String, Hashable, Sendable { case download, verify, failed }

  /// Why the last try ended, in a word that a program can keep.
  package enum Failure: String, Hashable, Sendable {
    case network, wrongBytes, unusable, noSpace, local

    /// Whether trying again may help without the publisher.
    package var isRetryable: Bool { self != .unusable }
  }

  private static let schema = "sealift.journal/1"

  package let phase: Phase
  package let failure: Failure?
  /// The bytes of the whole release.
  package let total: Int

  init(_ phase: Phase, failure: Failure? = nil, total: Int) {
    self.phase = phase
    self.failure = failure
    self.total = total
  }

  /// Reads a journal; nil if it is damaged.
  init?(bytes: [UInt8]) {
    guard let document = SealedDocument(bytes: bytes),
      let journal = try? Self(JSONMembers<JSONShapeError>(document: .object(document.object)))
    else { return nil }
    self = journal
  }

  private init?(_ members: JSONMembers<JSONShapeError>) throws {
    guard try members.string("schema") == Self.schema,
      let phase = Phase(rawValue: try members.string("phase"))
    else { return nil }
    let failure = try members.optionalString("failure").flatMap(Failure.init)
    self.init(phase, failure: failure, total: try members.integer("total"))
  }

  var bytes: [UInt8] {
    var object: JSONObject = [
      "schema": .string(Self.schema), "phase": .string(phase.rawValue),
      "total": .integer(Int64(total)),
    ]
    if let failure { object["failure"] = .string(failure.rawValue) }
    return SealedDocument(object).bytes
  }
}
