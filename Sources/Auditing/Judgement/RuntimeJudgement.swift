import Manifests

extension AuditFinding {
  /// What a verdict about runtimes comes to; nil if they are satisfied.
  init?(_ verdict: RuntimeVerdict) {
    guard let deciding = verdict.deciding, deciding.state != .satisfied else { return nil }
    let word: AuditVerdict =
      switch deciding.state {
      case .tooOld: .runtimeTooOld
      case .undetermined: .runtimeUnknown
      case .satisfied, .exactMismatch, .tooNew, .excluded, .otherRuntime: .runtimeUnsuitable
      }
    self.init(
      word,
      expected: "\(deciding.requirement)",
      actual: deciding.stated ?? "no version that is stated"
    )
  }
}
