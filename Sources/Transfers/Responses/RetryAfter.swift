import CCurl

/// The pause that a server asks for (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// The pause in the Retry-After field of `head`: zero for a date in the past, nil for none or garbage.
  ///
  /// A date counts from the server's own Date, else from `wallClock`, now in seconds since 1970.
  package static func pause(in head: ResponseHead, wallClock: Int) -> Duration? {
    guard let value = head.values(of: "retry-after").first else { return nil }
    if value.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), !value.isEmpty {
      return .seconds(min(fieldNumber(value) ?? .max, longest))
    }
    guard let date = seconds(of: value) else { return nil }
    let now = head.values(of: "date").first.flatMap(seconds) ?? wallClock
    let (pause, isOver) = date.subtractingReportingOverflow(now)
    return .seconds(isOver ? longest : min(max(0, pause), longest))
  }

  /// A year: what is longer is as good as never.
  private static let longest = 366 * 24 * 3600

  private static func seconds(of date: [UInt8]) -> Int? {
    guard !date.contains(0) else { return nil }
    let seconds = unsafe curl_getdate(String(decoding: date, as: UTF8.self), nil)
    return seconds < 0 ? nil : seconds
  }
}
