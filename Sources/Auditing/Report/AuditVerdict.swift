/// What an audit says of a file, of a version or of a model: the one closed list.
///
/// The raw values stand in reports, and never change their meaning. Each of them but `ok` is also a word that
/// `sealift explain` has a page about.
package enum AuditVerdict: String, CaseIterable, Hashable, Sendable {
  /// As far as the mode looks, everything is as it was signed.
  case ok

  // Integrity: a file against the manifest.

  /// Bytes differ, in chunks that are named, or somewhere in a file without a table of chunks.
  case modified
  case missing
  /// Nothing in the manifest has this name.
  case extra
  case truncated
  /// The file is longer than the signed one.
  case wrongSize
  /// The file has no bytes at all.
  case empty
  /// A folder, link or special file stands where the file should be.
  case wrongType
  /// A Git LFS pointer stands in the place of the file.
  case lfsPointer
  /// Every signed chunk is right and the signed digest of the whole file is not.
  case contradiction
  /// The bytes are the signed ones, and still no model.
  case notAModel
  /// The permission bits are not those of an installed file or folder.
  case wrongMode
  /// The file belongs to another user than the store.
  case wrongOwner
  /// The file has another name besides, under which it can be written.
  case hardlinkedElsewhere
  case unreadable
  /// Two cold reads of the same bytes gave different results, which is the machine and no change of the file.
  case unstableRead

  // Trust: the manifest against the policy, at the time of judgement.

  /// The manifest cannot be read, or is another than the one whose name the version has.
  case manifestInvalid
  /// Too few keys of the policy have signed the manifest, or no rule is about the model.
  case signatureUntrusted
  /// A key that signed is withdrawn, and the others are too few.
  case keyRevoked
  /// A key that signed had ended when the manifest was first accepted, and the others are too few.
  case keyExpired
  case manifestWithdrawn
  /// The manifest says that it is valid no longer.
  case expiredManifest
  /// The active version is lower than the highest that was ever active and good.
  case belowFloor

  // State: what the store, and the machine, say of a version.

  /// The stated runtime is older than the release needs.
  case runtimeTooOld
  /// The stated runtime is unfit in another way: too new, excluded, or not one of those that load the release.
  case runtimeUnsuitable
  /// No version is stated of a runtime that the release needs.
  case runtimeUnknown
  /// The active record, `current`, the floor and what is on disk contradict each other.
  case recordMismatch
  /// A record of the store exists and cannot be read.
  case recordDamaged
  /// The active version is marked bad.
  case markedBad
  /// A version lies in the store that was never verified to its end there.
  case unregisteredVersion
  /// Something touched the files of a version since they were verified there.
  case stampMismatch
  /// Another process changed the model while it was audited, so this is no word about it.
  case changedDuringAudit
  /// The audit ended before it came to this, or could not look.
  case notChecked
}

/// The question to which a verdict belongs: they are never mixed.
package enum AuditAxis: String, CaseIterable, Hashable, Sendable {
  /// Are the bytes those of the manifest?
  case integrity
  /// Is the manifest one that the policy accepts?
  case trust
  /// Do the records of the store, and the runtimes of the machine, agree with what lies there?
  case state
}

/// How much a finding matters.
package enum AuditSeverity: String, CaseIterable, Hashable, Sendable, Comparable {
  /// Something to know; alone it is no finding in the sense of the exit code.
  case note
  case warning
  case error

  package static func < (one: AuditSeverity, other: AuditSeverity) -> Bool {
    one.rank < other.rank
  }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

extension AuditVerdict {
  package var axis: AuditAxis {
    switch self {
    case .ok, .modified, .missing, .extra, .truncated, .wrongSize, .empty, .wrongType, .lfsPointer,
      .contradiction, .notAModel, .wrongMode, .wrongOwner, .hardlinkedElsewhere, .unreadable,
      .unstableRead:
      .integrity
    case .manifestInvalid, .signatureUntrusted, .keyRevoked, .keyExpired, .manifestWithdrawn,
      .expiredManifest, .belowFloor:
      .trust
    case .runtimeTooOld, .runtimeUnsuitable, .runtimeUnknown, .recordMismatch, .recordDamaged,
      .markedBad, .unregisteredVersion, .stampMismatch, .changedDuringAudit, .notChecked:
      .state
    }
  }

  /// How much the verdict matters where a finding says nothing else.
  package var severity: AuditSeverity {
    switch self {
    case .ok, .runtimeUnknown, .changedDuringAudit, .notChecked: .note
    case .extra, .wrongMode, .wrongOwner, .hardlinkedElsewhere, .belowFloor, .unregisteredVersion,
      .stampMismatch:
      .warning
    case .modified, .missing, .truncated, .wrongSize, .empty, .wrongType, .lfsPointer,
      .contradiction, .notAModel, .unreadable, .unstableRead, .manifestInvalid,
      .signatureUntrusted, .keyRevoked, .keyExpired, .manifestWithdrawn, .expiredManifest,
      .runtimeTooOld, .runtimeUnsuitable, .recordMismatch, .recordDamaged, .markedBad:
      .error
    }
  }
}
