import Manifests
import StrictJSON

extension FormatFacts.Fact {
  /// The fact for programs.
  var value: JSONValue {
    switch self {
    case .integer(let value): .integer(Int64(value))
    case .text(let text): .string(text)
    case .list(let texts): .array(texts.map { .string($0) })
    case .counts(let counts):
      .object(
        JSONObject(
          uniqueMembers: counts.sorted { $0.key < $1.key }.map {
            ($0.key, .integer(Int64($0.value)))
          }
        )
      )
    }
  }
}
