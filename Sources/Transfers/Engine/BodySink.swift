/// What one request ends in.
enum ExchangeEnd {
  /// All bytes of the range came; of a document whatever came.
  case complete(Range<Int>)
  case redirect([UInt8])
  case fault(MirrorFault)
  /// The sink said to stop.
  case stopped
  case cancelled
}

/// Where the body of an accepted response goes.
protocol BodySink: AnyObject {
  func begin(_ range: Range<Int>)
  /// Takes the next bytes; false stops the request.
  func take(_ bytes: Span<UInt8>) -> Bool
}
