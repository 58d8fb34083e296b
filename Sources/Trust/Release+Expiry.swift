package import Manifests

extension Release {
  /// Whether a release has expired: from the second on at which it says that it expires.
  package func hasExpired(at time: Timestamp) -> Bool {
    details.expires.map { $0 <= time } ?? false
  }

  /// Refuses a release from the second on at which it says that it expires; throws `expired`.
  ///
  /// The time is now at an install, and the recorded time of first acceptance where it is judged again.
  func requireUnexpired(at time: Timestamp) throws(TrustError) {
    guard let expires = details.expires, hasExpired(at: time) else { return }
    throw .expired(expires, now: time)
  }
}
