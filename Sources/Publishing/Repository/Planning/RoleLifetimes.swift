package import Manifests
package import Trust

/// How long the metadata of each role is good for after it was signed.
///
/// Only root and timestamp are short: the others say nothing that grows stale while the timestamp is renewed.
package struct RoleLifetimes: Hashable, Sendable {
  private static let day: Int64 = 86_400

  package var root = 365 * day
  package var targets = 3_650 * day
  package var snapshot = 3_650 * day
  package var timestamp = 30 * day

  package init() {}

  /// When what is signed at `now` expires, at most in the year 9999.
  package func end(of role: RoleName, from now: Timestamp) -> Timestamp {
    let seconds =
      switch role {
      case .root: root
      case .timestamp: timestamp
      case .snapshot: snapshot
      default: targets
      }
    let (end, overflows) = now.seconds.addingReportingOverflow(seconds)
    return (overflows ? nil : Timestamp(seconds: end)) ?? .latest
  }
}

extension Timestamp {
  /// The last second of the year 9999.
  fileprivate static var latest: Timestamp {
    guard let time = Timestamp(seconds: 253_402_300_799) else {
      preconditionFailure("the year 9999 is a time")
    }
    return time
  }
}
