import Manifests
import ModelFormats

/// The runtimes of a release: what its bytes need, and what its publisher states.
///
/// Needs of the same runtime are one need, the highest; any one of the runtimes is enough. A publisher
/// may state more than the bytes need, and less only by insisting. Where the bytes name something unknown, what is
/// known of their needs still bounds every statement, but is no way of its own to load the release.
struct DerivedRuntimes {
  private(set) var requirements: [RuntimeRequirement] = []
  private(set) var warnings: [BuildWarning] = []
  private let needs: [RuntimeNeed]

  init(
    of files: [FileInspection],
    stated: [RuntimeRequirement],
    isForced: Bool
  ) throws {
    needs = files.flatMap { file in
      file.report.runtimes.map { RuntimeNeed(file: file.path, requirement: $0) }
    }
    let unknown = files.flatMap(\.report.unknownToRuntimes)
    if !unknown.isEmpty, stated.isEmpty {
      throw PublishingError.unknownRuntime(unknown)
    }
    let derived = try merged()
    for requirement in stated {
      if let need = derived.first(where: { $0.name == requirement.name }) {
        try add(requirement, above: need, isForced: isForced)
      } else {
        requirements.append(requirement)
      }
    }
    let partial = Set(
      files.filter { !$0.report.unknownToRuntimes.isEmpty }
        .flatMap { $0.report.runtimes.map(\.name) }
    )
    let spoken = partial.union(stated.map(\.name))
    requirements += derived.filter { !spoken.contains($0.name) }
  }

  /// One need for each runtime; names the files where no version has all that they need.
  private func merged() throws(PublishingError) -> [RuntimeRequirement] {
    var merged: [RuntimeRequirement] = []
    for need in needs {
      let requirement = need.requirement
      do throws(ManifestError) {
        merged = try RuntimeRequirement.merged(merged + [requirement])
      } catch {
        throw .runtimesExclude(needs.filter { $0.requirement.name == requirement.name })
      }
    }
    return merged
  }

  /// Adds what the publisher states of a runtime that the bytes need.
  private mutating func add(
    _ stated: RuntimeRequirement,
    above need: RuntimeRequirement,
    isForced: Bool
  ) throws {
    let requirement = stated.written(as: need.scheme)
    if requirement.isAtLeast(need) {
      do throws(ManifestError) {
        requirements.append(try requirement.joined(with: need))
      } catch {
        let others = needs.filter { $0.requirement.name == need.name }
        throw PublishingError.runtimesExclude(
          others + [RuntimeNeed(file: nil, requirement: requirement)]
        )
      }
    } else if isForced {
      requirements.append(try requirement.forced(below: need))
      warnings.append(.forcedRuntime(stated: requirement, derived: need))
    } else if requirement.isComparable(with: need) {
      throw PublishingError.runtimeTooLow(stated: requirement, derived: need)
    } else {
      throw PublishingError.runtimeCountsOtherwise(stated: requirement, derived: need)
    }
  }
}
