package import Manifests

/// What makes a clock unfit to sign by: signatures have no time, but expiry is judged by it.
package enum ClockFault: Error, Hashable, Sendable {
  /// The clock shows a time before there was this program.
  case beforeProgram(now: Timestamp, earliest: Timestamp)
  /// The clock shows a time before the one that the release gives as its own.
  case beforeRelease(now: Timestamp, released: Timestamp)

  /// 2026-01-01T00:00:00Z.
  private static let earliest = Timestamp(seconds: 1_767_225_600)
  /// How far the clocks of two machines may be apart: a day, in seconds.
  private static let tolerance: Int64 = 86_400

  /// Refuses a clock that must be wrong, given that there is a release of the time `released`.
  package static func check(_ now: Timestamp, released: Timestamp) throws(ClockFault) {
    if let earliest, now < earliest { throw .beforeProgram(now: now, earliest: earliest) }
    guard now.seconds >= released.seconds - tolerance else {
      throw .beforeRelease(now: now, released: released)
    }
  }
}
