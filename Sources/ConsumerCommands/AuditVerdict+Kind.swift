import Auditing
import CommandLineKit

extension AuditVerdict {
  /// The word that `explain` has a page about: the same word.
  var kind: DiagnosticKind {
    switch self {
    case .ok: .done
    case .modified: .modified
    case .missing: .missing
    case .extra: .extra
    case .truncated: .truncated
    case .wrongSize: .wrongSize
    case .empty: .empty
    case .wrongType: .wrongType
    case .lfsPointer: .lfsPointer
    case .contradiction: .contradiction
    case .notAModel: .notAModel
    case .wrongMode: .wrongMode
    case .wrongOwner: .wrongOwner
    case .hardlinkedElsewhere: .hardlinkedElsewhere
    case .unreadable: .unreadable
    case .unstableRead: .unstableRead
    case .manifestInvalid: .manifestInvalid
    case .signatureUntrusted: .signatureUntrusted
    case .keyRevoked: .keyRevoked
    case .keyExpired: .keyExpired
    case .manifestWithdrawn: .manifestWithdrawn
    case .expiredManifest: .expiredManifest
    case .belowFloor: .belowFloor
    case .runtimeTooOld: .runtimeTooOld
    case .runtimeUnsuitable: .runtimeUnsuitable
    case .runtimeUnknown: .runtimeUnknown
    case .recordMismatch: .recordMismatch
    case .recordDamaged: .recordDamaged
    case .markedBad: .markedBad
    case .unregisteredVersion: .unregisteredVersion
    case .stampMismatch: .stampMismatch
    case .changedDuringAudit: .changedDuringAudit
    case .notChecked: .notChecked
    }
  }
}
