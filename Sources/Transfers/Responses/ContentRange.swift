/// The value of a Content-Range field in bytes (RFC 9110 §14.4).
package enum ContentRange: Hashable, Sendable {
  /// The bytes that follow, and the size of the whole file unless the server does not say.
  case bytes(Range<Int>, total: Int?)
  /// No such bytes: what a 416 says, with the size of the file.
  case unsatisfied(total: Int)

  /// Reads `bytes 0-99/200`, `bytes 0-99/*` and `bytes */200`; nil for anything else.
  package init?(_ value: [UInt8]) {
    let words = value.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 2, lowered(words[0]) == Array("bytes".utf8) else { return nil }
    let halves = words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let star = Array("*".utf8)
    let total = fieldNumber(halves[1])
    guard total != nil || Array(halves[1]) == star else { return nil }
    if Array(halves[0]) == star {
      guard let total else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    let ends = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2, let first = fieldNumber(ends[0]), let last = fieldNumber(ends[1]),
      first <= last, last < Int.max, total.map({ last < $0 }) ?? true
    else { return nil }
    self = .bytes(first..<last + 1, total: total)
  }
}
