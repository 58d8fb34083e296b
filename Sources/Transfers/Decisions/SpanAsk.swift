/// What to ask of one source next.
struct SpanAsk: Hashable, Sendable {
  let file: Int
  let source: Int
  let pieces: Range<Int>
  /// The bytes of these pieces that are not at hand.
  let bytes: Range<Int>
  /// Whether another transfer brings the piece too.
  var isCopy = false
}
