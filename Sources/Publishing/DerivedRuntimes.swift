import Manifests
import ModelFormats

/// The runtimes of a release: what its bytes need, and what its publisher states.
///
/// Needs of the same runtime are one need, the highest; any one of the runtimes is enough. A publisher
/// may state more than the bytes need, and less only by insisting.
struct DerivedRuntimes {
  private(set) var requirements: [RuntimeRequirement] = []
  private(set) var warnings: [BuildWarning] = []

  init(
    of reports: [FormatReport],
    stated: [RuntimeRequirement],
    isForced: Bool
  ) throws {
    let unknown = reports.flatMap(\.unknownToRuntimes)
    if !unknown.isEmpty, stated.isEmpty {
      throw PublishingError.unknownRuntime(unknown)
    }
    var derived = try RuntimeRequirement.merged(reports.flatMap(\.runtimes))
    for requirement in stated {
      guard let index = derived.firstIndex(where: { $0.isComparable(with: requirement) }) else {
        requirements.append(requirement)
        continue
      }
      let need = derived.remove(at: index)
      if requirement.isAtLeast(need) {
        requirements.append(try requirement.joined(with: need))
      } else if isForced {
        requirements.append(try requirement.forced(below: need))
        warnings.append(.forcedRuntime(stated: requirement, derived: need))
      } else {
        throw PublishingError.runtimeTooLow(stated: requirement, derived: need)
      }
    }
    requirements += derived
  }
}
