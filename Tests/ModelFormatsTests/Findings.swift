import Testing
import Manifests
import ModelFormats

extension FileInspection {
  /// The code of the problem; nil if there is none, or only one that a person can agree to.
  var problemCode: String? {
    guard report.fault == nil, let fault = problem?.fault else { return report.fault?.code }
    if case .unverified = fault { return nil }
    return fault.code == "unsafeCode" && report.runsCode != nil ? nil : fault.code
  }

  /// The codes of the warnings, in their order.
  var warningCodes: [FaultCode] { report.warnings.map(\.code) }

  /// The codes of what could not be checked, in their order.
  var unverifiedCodes: [FaultCode] { report.unverified.map(\.code) }

  /// The derived minimums, such as `onnxruntime 1.9`.
  var minimums: [String] { report.runtimes.map { "\($0.name) \($0.minimum)" } }
}

/// A fixture with one thing changed, and what must be said about it.
struct ChangedFixture<Fixture, Outcome: Sendable>: Sendable, CustomTestStringConvertible {
  let name: String
  let outcome: Outcome
  let change: @Sendable (inout Fixture) -> Void

  init(_ name: String, _ outcome: Outcome, _ change: @escaping @Sendable (inout Fixture) -> Void) {
    self.name = name
    self.outcome = outcome
    self.change = change
  }

  var testDescription: String { name }
}
