/// Whether a runtime can load what a requirement speaks of.
package enum RuntimeState: String, Hashable, Sendable, CaseIterable {
  case satisfied
  /// Nothing is known about the version: none was stated, or none that the scheme can read.
  case undetermined
  /// The version is not the exact one.
  case exactMismatch
  case tooOld
  case tooNew
  case excluded
  /// The client states other runtimes and not this one.
  case otherRuntime
}

/// The answer to a list of requirements, of which any one is enough.
package struct RuntimeVerdict: Hashable, Sendable {
  /// One requirement, its state, and the version that was stated for its runtime.
  package struct Finding: Hashable, Sendable {
    package let requirement: RuntimeRequirement
    package let state: RuntimeState
    package let stated: String?
  }

  /// All requirements in the order of the manifest.
  package let findings: [Finding]

  /// Judges `requirements` by `statements`.
  package init(requirements: [RuntimeRequirement], statements: [RuntimeStatement]) {
    findings = requirements.map { requirement in
      Finding(
        requirement: requirement,
        state: requirement.state(given: statements),
        stated: statements.first { $0.name == requirement.name }?.version
      )
    }
  }

  /// The state of the whole list.
  ///
  /// An empty list is satisfied: the publisher demands nothing, which is another thing than not
  /// knowing what the client has. One satisfied entry is enough. Else undetermined goes before
  /// every refusal, because stating a version may still help, and a refusal of a stated runtime
  /// before `otherRuntime`.
  package var state: RuntimeState { deciding?.state ?? .satisfied }

  /// The entry that decides, for the message; nil for an empty list.
  package var deciding: Finding? {
    let order: [RuntimeState] = [
      .satisfied, .undetermined, .exactMismatch, .tooOld, .tooNew, .excluded, .otherRuntime,
    ]
    for state in order {
      if let finding = findings.first(where: { $0.state == state }) { return finding }
    }
    return nil
  }

  package var isSatisfied: Bool { state == .satisfied }
}

extension RuntimeVerdict.Finding: CustomStringConvertible {
  /// The finding as one sentence without a full stop, safe to print: what is needed, why, and what
  /// was found.
  package var description: String {
    let have = "you have \(escaped(stated ?? ""))"
    return switch state {
    case .satisfied: "\(requirement) is satisfied by \(escaped(stated ?? ""))"
    case .undetermined:
      if let stated {
        "needs \(requirement); the stated version \"\(escaped(stated))\" does not tell"
      } else {
        "needs \(requirement); no version of it is stated"
      }
    case .exactMismatch: "needs \(requirement), \(have)"
    case .tooOld: "needs \(requirement), \(have), which is too old"
    case .tooNew: "needs \(requirement), \(have), which is too new"
    case .excluded: "needs \(requirement), \(have), which is excluded"
    case .otherRuntime: "needs \(requirement), which is not among the stated runtimes"
    }
  }
}
