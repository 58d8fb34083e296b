/// The names of an object that is being read, as Unicode sees them.
///
/// Swift's `String` compares by canonical equivalence. Programs that do the same would merge two
/// members, and others would not: one document, two meanings.
struct MemberNames {
  /// As many marks may follow each other in stream-safe text (UAX #15, section 13).
  ///
  /// Putting a run of marks in order takes `String` quadratic time, minutes for a few hundred kilobytes.
  private static let greatestMarkRun = 30

  /// All names since one of them left ASCII; before that, equivalent names have the same bytes.
  private var equivalents: Set<String>?

  /// Notes a name that may join `object`, or returns why it may not.
  mutating func refusal(of name: String, in object: JSONObject) -> JSONSyntaxError.Problem? {
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    guard isASCII || Self.isStreamSafe(name) else {
      return .tooManyMarks(limit: Self.greatestMarkRun)
    }
    if equivalents == nil, !isASCII {
      equivalents = Set(object.members.lazy.map(\.name))
    }
    let isNew = equivalents?.insert(name).inserted ?? !object.contains(name)
    return isNew ? nil : .duplicateMember(name)
  }

  private static func isStreamSafe(_ name: String) -> Bool {
    var run = 0
    for scalar in name.unicodeScalars {
      run = isMark(scalar) ? run + 1 : 0
      if run > greatestMarkRun { return false }
    }
    return true
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
