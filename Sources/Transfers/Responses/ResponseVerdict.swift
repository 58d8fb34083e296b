/// What to do with a response, decided before its first body byte.
package enum ResponseVerdict: Hashable, Sendable {
  /// Take the body: the bytes of this range of the file, and not one less.
  case take(Range<Int>)
  /// Take the body of a document up to the limit, wherever it ends.
  case takeUpTo(Int)
  /// Ask there instead, if the redirect policy lets us; the value is that of the Location field.
  case redirect([UInt8])
  case refuse(MirrorFault)
}
