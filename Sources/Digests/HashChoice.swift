/// The fastest right way to hash many chunks on this processor, found by trying.
package struct HashChoice: Hashable, Sendable {
  /// The way to go where there are messages enough for its lanes.
  package let path: HashPath
  /// The fewest messages at once for which the lanes are faster than libcrypto.
  package let fewestMessages: Int
  /// The ways that this processor claims to have and that gave wrong digests: a fault to report.
  package let broken: [HashPath]

  /// The choice for this machine, made at first use within some milliseconds.
  package static let forThisMachine = HashChoice(among: HashPath.allCases.filter(\.isAvailable))

  /// Goes this way whenever there are at least `fewestMessages`, tried or not.
  package init(forcing path: HashPath, fewestMessages: Int = 1) {
    self.path = path
    self.fewestMessages = fewestMessages
    broken = []
  }

  /// Leaves out what hashes wrongly, and takes the fastest of the others in a race of about a millisecond.
  ///
  /// `compression` gives what takes blocks on each way, nil for libcrypto.
  package init(
    among paths: [HashPath],
    compression: (HashPath) -> LaneCompression? = \.compression
  ) {
    let all = paths.compactMap { path in compression(path).map { LaneTrial(path, $0) } }
    let right = all.filter { $0.isRight() }
    broken = all.map(\.path).filter { path in !right.contains { $0.path == path } }
    let single = LaneTrial.secondsForEachByteOneByOne()
    let times = right.map { (path: $0.path, seconds: $0.secondsForEachByte()) }
    guard let best = times.min(by: { $0.seconds < $1.seconds }), best.seconds < single else {
      path = .libcrypto
      fewestMessages = 1
      return
    }
    path = best.path
    let ratio = best.seconds / single * Double(best.path.laneCount)
    fewestMessages = Int(ratio.rounded(.up))
  }
}
