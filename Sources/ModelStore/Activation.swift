package import Trust

/// Why a version becomes active, from which follows what is asked before and what is kept.
package enum Activation: Sendable {
  /// A person named the version.
  ///
  /// A mark of a bad one is taken from it. With a `trial`, it has so many starts before it counts as bad.
  case named(consent: VersionHistory.Consent, trial: Int? = nil)
  /// It was active before this one, which must still be active; else `changedMeanwhile` is thrown.
  ///
  /// Nobody named it, so one that is marked bad is refused. The version that is left is the way back unless it failed.
  case returning(from: ActiveRecord.Entry, keepsWayBack: Bool = true)
  /// The record is lost, and `current` named the version.
  case restoring

  /// What a person has agreed to.
  var consent: VersionHistory.Consent {
    switch self {
    case .named(let consent, _): consent
    case .returning: .returnToPrevious
    case .restoring: .restoredRecord
    }
  }

  var trial: Int? {
    guard case .named(_, let trial) = self else { return nil }
    return trial
  }

  /// What must still be active.
  var expected: ActiveRecord.Entry? {
    guard case .returning(let entry, _) = self else { return nil }
    return entry
  }

  /// Whether the version that was active is the way back.
  var keepsWayBack: Bool {
    switch self {
    case .named: true
    case .returning(_, let keepsWayBack): keepsWayBack
    case .restoring: false
    }
  }

  /// Whether a person agreed to any version, and with it to a new floor in the place of one that cannot be read.
  var replacesDamagedFloor: Bool { consent == .anyVersion }
}
