extension FetchError.Kind {
  /// The class of a failure, from the fault that stands in the way of each mirror.
  ///
  /// Mirrors without the file do not count beside others. Faults of different classes make it `network`: then
  /// another attempt may succeed.
  package init(faults: [MirrorFault]) {
    let kinds = Set(faults.map(\.kind))
    let others = kinds.subtracting([.missing])
    if others.isEmpty {
      self = kinds.isEmpty ? .network : .missing
    } else if others == [.integrity] {
      self = .integrity
    } else if others == [.offline] {
      self = .offline
    } else if others == [.auth] {
      self = .auth
    } else if others.isSubset(of: [.protocolViolation, .certificate, .noRanges]) {
      self = .protocolViolation
    } else {
      self = .network
    }
  }
}
