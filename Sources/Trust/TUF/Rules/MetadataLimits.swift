/// How much a client takes from a repository.
package struct MetadataLimits: Hashable, Sendable {
  package static let standard = MetadataLimits()

  // The most bytes of a file of each kind, whatever length is listed.

  package var root = 512_000
  package var timestamp = 16_384
  package var snapshot = 2_000_000
  package var targets = 5_000_000
  /// The most bytes of a target.
  package var target = 64 << 20

  /// The most new roots in one run; the next run goes on from there.
  package var newRoots = 256
  /// The most delegated roles that one search visits.
  package var visitedRoles = 32

  package init() {}
}
