extension Scheduler {
  /// The file that ends the run: no mirror can give a piece of it, or none did for too long.
  mutating func hopelessFile(now: Duration) -> (file: Int, FetchError.Kind)? {
    defer { doubtful.removeAll(keepingCapacity: true) }
    for file in doubtful.sorted() where isHopeless(file) { return (file, failure(of: file)) }
    guard transfers.isEmpty, waitingUntil != nil, now >= lastGain + clocks.giveUp,
      let file = open.first(where: { files[$0].missingCount > 0 })
    else { return nil }
    return (file, failure(of: file))
  }

  /// Whether some piece is missing that no mirror may give any more.
  private func isHopeless(_ file: Int) -> Bool {
    guard files[file].stage == .open, files[file].missingCount > 0 else { return false }
    let candidates = files[file].sources.indices.filter { isCandidate($0, of: file) }
    guard let first = candidates.first else { return true }
    var common = files[file].sources[first].rejected
    for source in candidates.dropFirst() {
      common.formIntersection(files[file].sources[source].rejected)
    }
    return common.contains { files[file].pieces[$0] == .missing }
  }

  /// When a mirror can be asked again, or the run ends; nil if something else is going on.
  func nextChance(now: Duration) -> Duration? {
    var chance: Duration?
    for file in open {
      guard files[file].stage == .open, files[file].missingCount > 0 else {
        // It is being opened or hashed, which ends by itself.
        return nil
      }
      guard files[file].missingCount == files[file].unheldCount else { return nil }
      for source in files[file].sources where source.suspended == nil {
        let standing = standings[source.mirror]
        guard standing.suspended == nil, standing.coolingUntil > now else { continue }
        chance = min(chance ?? standing.coolingUntil, standing.coolingUntil)
      }
    }
    let end = lastGain + clocks.giveUp
    return min(chance ?? end, end)
  }

  /// The class of the error when there is nothing more to try.
  private func failure(of file: Int) -> FetchError.Kind {
    FetchError.Kind(
      faults: files[file].sources.compactMap { source in
        source.suspended ?? standings[source.mirror].suspended ?? source.lastFault
          ?? standings[source.mirror].lastFault
      }
    )
  }
}
