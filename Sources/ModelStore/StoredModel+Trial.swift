import SystemFiles

/// What counting a start of the active version gives.
package enum TrialStart: Hashable, Sendable {
  /// The version is good, or another one is active by now; nothing was counted.
  case notOnTrial
  case counted(left: Int)
  /// The starts are used up, and nobody has said that the version is good.
  case usedUp(ActiveRecord)
}

extension StoredModel {
  /// Counts a start of `version` if it is on trial, before it starts: a start that crashes the machine counts too.
  package func countStart(of version: VersionName) throws -> TrialStart {
    try withStateLock {
      guard let record = try recordState().record, record.active.name == version,
        let left = record.triesLeft
      else { return .notOnTrial }
      guard left > 0 else { return .usedUp(record) }
      try write(record.changed(previous: record.previous, triesLeft: left - 1))
      return .counted(left: left - 1)
    }
  }
}
