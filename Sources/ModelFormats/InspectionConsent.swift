package import Manifests

/// What somebody has agreed to about files that are otherwise refused.
package struct InspectionConsent: Hashable, Sendable {
  /// The host that runs the model stores numbers with the highest byte first.
  package var bigEndian = false
  /// Loading a file may run code that is in it.
  package var code = false
  /// These codes of what this program can't check are agreed to; nil for all of them.
  package var unverified: Set<String>? = []

  /// Nothing that is seldom meant is agreed to either: warnings refuse.
  package var isStrict = false

  /// Agrees to nothing.
  package init() {}

  /// Agrees to what a manifest says that its publisher has agreed to.
  package init(of facts: FormatFacts) {
    bigEndian = facts.more["endianness"] == .text("big")
    code = facts.more[FormatReport.codeFact] != nil
    if case .list(let codes) = facts.more[FormatReport.unverifiedFact] { unverified = Set(codes) }
  }
}

extension FormatReport {
  /// Why the file is refused although nothing in it is wrong; nil if `consent` covers all.
  func refusal(under consent: InspectionConsent) -> FormatFault? {
    if more["endianness"] == .text("big"), !consent.bigEndian {
      return .structure(
        StructureFault(
          .wrongEndian,
          at: 4,
          "the order of bytes",
          expected: "numbers with the lowest byte first, as nearly all hosts store them",
          found: "the highest byte first"
        )
      )
    }
    if let runsCode, !consent.code {
      return .structure(
        StructureFault(
          .unsafeCode,
          at: 0,
          "the file",
          expected: "data that runs no code",
          found: runsCode
        )
      )
    }
    let open = unverified.first { fault in
      consent.unverified.map { !$0.contains(fault.code.rawValue) } ?? false
    }
    return open.map { .unverified($0) }
      ?? (consent.isStrict ? warnings.first : nil).map { .structure($0) }
  }
}
