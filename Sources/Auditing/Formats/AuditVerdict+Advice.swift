extension AuditAxis {
  /// The question that the axis answers, as a sentence.
  var question: String {
    switch self {
    case .integrity: "Are the bytes those of the manifest?"
    case .trust: "Is the manifest one that the trust policy accepts?"
    case .state: "Do the records and runtimes agree with what is installed?"
    }
  }
}

extension AuditVerdict {
  /// The verdict as people read it: `key revoked` for `keyRevoked`.
  var words: String {
    if self == .lfsPointer { return "LFS pointer" }
    return rawValue.flatMap { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.reduce(into: "") {
      $0.append($1)
    }
  }

  /// What to do about it, in one sentence without a full stop; an audit itself changes nothing.
  var advice: String {
    switch self {
    case .ok: "There is nothing to do"
    case .modified, .missing, .truncated, .wrongSize, .empty, .wrongType, .lfsPointer:
      "Do not use the version until it is installed again, and find out who or what changed the file"
    case .extra:
      "Find out who put it there; a version folder holds the release and nothing else"
    case .contradiction, .notAModel:
      "Tell the publisher, whose manifest says it; every mirror would serve the same bytes"
    case .wrongMode, .wrongOwner, .hardlinkedElsewhere:
      "Find out who changed it; installing the version again sets it right"
    case .unreadable: "Look at the permissions and at the disk"
    case .unstableRead: "Look for failing hardware: memory, cable, controller or disk"
    case .manifestInvalid, .signatureUntrusted:
      "Do not use the version: nobody who is trusted vouches for it"
    case .keyRevoked, .keyExpired, .manifestWithdrawn, .expiredManifest:
      "Install a release that the publisher stands by now"
    case .belowFloor: "Activate the newer version, unless a person went back on purpose"
    case .runtimeTooOld, .runtimeUnsuitable:
      "Install a runtime that loads the release, or activate another version"
    case .runtimeUnknown: "State the version of the runtime"
    case .recordMismatch, .recordDamaged, .unregisteredVersion, .stampMismatch:
      "Let doctor look at the store, and find out what touched it"
    case .markedBad: "Roll back to a version that works"
    case .changedDuringAudit: "Audit the model again when nothing else works on it"
    case .notChecked: "Go on with the audit, or look why it could not"
    }
  }
}
