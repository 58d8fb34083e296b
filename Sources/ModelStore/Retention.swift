import Manifests

/// Why garbage collection keeps something.
package enum KeepReason: String, Hashable, Sendable {
  case active, previous, pinned, leased, open, newest
  case trialFallback = "trial fallback"
  /// `current` names it.
  case current
  /// A process is bringing it in.
  case installing
  /// The repository of the model has withdrawn it: only a person takes it away.
  case withdrawn
  /// A person removed it not long ago and can have it back.
  case removed
  /// A repair took it out of a version not long ago; a person may want to look at it.
  case replaced
  /// It was not asked for, as candidates are only with `--staging`.
  case notAsked = "not asked for"
  /// The budget is met without it.
  case withinBudget = "within the budget"
  /// It could not be deleted, and is tried again.
  case undeletable
  case unknownRecord = "unknown(record)"
  case unknownPins = "unknown(pins)"
  /// The model belongs to a repository, and nobody knows here what that has withdrawn.
  case unknownWithdrawals = "unknown(withdrawals)"
  case unknownLease = "unknown(lease)"
  case unknownOpen = "unknown(open)"
}

/// The rule of what stays, as far as names decide: a pure value.
package struct Retention {
  let record: RecordState
  let pins: MarksState<PinnedVersions>
  /// The version that `current` names.
  let linked: VersionName?
  /// The versions that a process is bringing in.
  let live: Set<VersionName>
  /// The versions that the repository of the model has withdrawn.
  let withdrawn: Set<VersionName>
  let areWithdrawalsKnown: Bool
  /// How many of the highest versions stay that are not withdrawn, whatever else does.
  let newestCount: Int

  package init(
    record: RecordState,
    pins: MarksState<PinnedVersions>,
    linked: VersionName?,
    live: Set<VersionName>,
    withdrawn: Set<VersionName> = [],
    areWithdrawalsKnown: Bool = true,
    newestCount: Int
  ) {
    self.record = record
    self.pins = pins
    self.linked = linked
    self.live = live
    self.withdrawn = withdrawn
    self.areWithdrawalsKnown = areWithdrawalsKnown
    self.newestCount = newestCount
  }

  /// The reason to keep each version that has one; what is left may go.
  ///
  /// While the record, the pins or what is withdrawn cannot be read, everything stays. The active version is kept because
  /// the record says so, whatever its health. A withdrawn version stays until a person removes it, and takes the place of
  /// no good one among the highest.
  package func reasons(among versions: [VersionName]) -> [VersionName: KeepReason] {
    let newest = versions.filter { !withdrawn.contains($0) }
      .sorted { ($0.version, $0.text) > ($1.version, $1.text) }
      .prefix(newestCount)
    var reasons: [VersionName: KeepReason] = [:]
    for name in versions { reasons[name] = reason(for: name, newest: Set(newest)) }
    return reasons
  }

  private func reason(for name: VersionName, newest: Set<VersionName>) -> KeepReason? {
    guard let pinned = pins.marks?.names else { return .unknownPins }
    switch record {
    case .damaged: return .unknownRecord
    case .good(let record) where record.active.name == name: return .active
    case .good(let record) where record.previous?.name == name:
      return record.triesLeft == nil ? .previous : .trialFallback
    case .good, .absent: break
    }
    if pinned.contains(name) { return .pinned }
    if live.contains(name) { return .installing }
    if linked == name { return .current }
    guard areWithdrawalsKnown else { return .unknownWithdrawals }
    if withdrawn.contains(name) { return .withdrawn }
    return newest.contains(name) ? .newest : nil
  }
}
