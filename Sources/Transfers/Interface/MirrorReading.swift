package import Digests

/// What came when pieces of a file were read back from a mirror.
package struct MirrorReading: Hashable, Sendable {
  /// The SHA-256 of each piece that came whole, in their order.
  package var digests: [SHA256Digest] = []
  /// The first bytes of what came, at most ``beginningLimit``.
  package var beginning: [UInt8] = []
  /// The body bytes that came.
  package var received = 0
  /// Where redirects led on the longest way, without what is secret in URLs.
  package var hops: [Hop] = []
  /// The longest time from a request until the bytes began, redirects included; nil if none began.
  package var timeToAnswer: Duration?
  /// Whether a request for a range was answered with more than that.
  package var ignoresRanges = false
  /// What ended the reading before all pieces were there.
  package var fault: MirrorFault?
  package var isCancelled = false

  package static let beginningLimit = 4096

  package init() {}

  /// One place to which a redirect led.
  package struct Hop: Hashable, Sendable {
    /// The URL without user name, password, query and fragment.
    package let url: String
    /// Scheme, host and port.
    package let origin: String

    package init(url: String, origin: String) {
      self.url = url
      self.origin = origin
    }
  }

  mutating func take(_ hasher: PieceHasher) {
    digests = hasher.digests
    beginning = hasher.beginning
    received = hasher.received
    timeToAnswer = hasher.timeToAnswer
  }
}
