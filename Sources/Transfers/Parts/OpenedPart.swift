/// A part as it was found or made.
struct OpenedPart: Sendable {
  let part: PartFile
  /// The chunks that may be there.
  var claimed: [Int] = []
  /// The writer of a file without chunk table, and the bytes that it has taken up from an earlier run.
  var stream: StreamWriter?
  var prefix = 0
}
