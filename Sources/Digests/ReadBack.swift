package import SystemFiles

/// The chunks of a file that were read back from the medium since they were last written.
package struct ReadBack: Hashable, Sendable {
  /// How long a chunk that was read back needs no second reading: about as long as the reading of a large file takes.
  package static let validity = Duration.seconds(60)

  private let status: FileStatus
  private let times: [Int: ContinuousClock.Instant]

  /// Describes a file of which nothing was written since `status` was asked for.
  ///
  /// - Parameters:
  ///   - status: What the file system said after the last write; every later change must show in it.
  ///   - times: When each chunk was read and found right, by its place in the table; those of long ago are not kept.
  package init(_ status: FileStatus, _ times: [Int: ContinuousClock.Instant]) {
    self.status = status
    let now = ContinuousClock.now
    self.times = times.filter { now - $0.value <= Self.validity }
  }

  /// The chunks that were read within the last minute; none if the file is another, or was changed since.
  package func chunks(
    of found: FileStatus,
    at now: ContinuousClock.Instant = .now
  ) -> Set<Int> {
    let isSame =
      found.identity == status.identity && found.size == status.size
      && found.modifiedAt == status.modifiedAt && found.changedAt == status.changedAt
    guard isSame else { return [] }
    return Set(times.filter { now - $0.value <= Self.validity }.keys)
  }
}
