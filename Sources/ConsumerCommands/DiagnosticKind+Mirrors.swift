import CommandLineKit
import Transfers

extension DiagnosticKind {
  /// The word of a class of mirror faults.
  init(_ kind: MirrorFault.Kind) {
    self =
      switch kind {
      case .offline: .offline
      case .transient: .transient
      case .throttled: .throttled
      case .missing: .missing
      case .auth: .auth
      case .certificate: .certificate
      case .integrity: .integrity
      case .protocolViolation: .protocolViolation
      case .noRanges: .noRanges
      }
  }
}
