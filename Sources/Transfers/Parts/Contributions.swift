/// How many bytes came from which source.
struct Contributions: Hashable, Sendable {
  /// The source nil is an earlier run.
  private(set) var bytes: [Int?: Int] = [:]

  /// The source of all the bytes; nil if they are of several, or of an earlier run.
  var onlySource: Int? { bytes.count == 1 ? bytes.keys.first.flatMap { $0 } : nil }

  mutating func add(_ count: Int, from source: Int?) { bytes[source, default: 0] += count }

  /// Returns what was added and starts anew.
  mutating func take() -> Contributions {
    defer { bytes = [:] }
    return self
  }
}
