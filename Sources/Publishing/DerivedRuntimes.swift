import Manifests
import ModelFormats

/// The runtimes of a release: what its bytes need, and what its publisher states.
///
/// Needs of the same runtime are one need, the highest. Where all files need the same runtimes, any one of these is
/// enough for the release; else each file has a list of its own, and a client must satisfy them all. A publisher may
/// state more than the bytes need, and less only by insisting. Where the bytes name something unknown, what is
/// known of their needs still bounds every statement, but is no way of its own to load the release.
///
/// A file that is bound to a kind of device makes the release demand that, and each file the rest.
struct DerivedRuntimes {
  /// What the release demands; any one is enough.
  private(set) var requirements: [RuntimeRequirement] = []
  /// What single files demand beside it; any one of a list is enough.
  private(set) var ofFiles: [RelativePath: [RuntimeRequirement]] = [:]
  private(set) var warnings: [BuildWarning] = []
  private let isForced: Bool

  init(of files: [FileInspection], _ draft: ReleaseDraft) throws {
    isForced = draft.forcesRuntimes
    let devices = try DeviceBinding(of: files, stated: draft.runtimes)
    var draft = draft
    draft.runtimes = devices.others
    let groups = RuntimeGroup.groups(of: files, isOne: draft.anyRuntimeIsEnough)
    let known = groups.reduce(into: Set<RuntimeName>()) { $0.formUnion($1.names) }
    // Of other runtimes a publisher may speak for files that the bytes don't tell all about.
    let others = draft.runtimes.filter { !known.contains($0.name) }
    for group in groups {
      let speaksOthers = groups.count == 1 || !group.unknown.isEmpty
      let stated = draft.runtimes.filter {
        group.names.contains($0.name) || (speaksOthers && !known.contains($0.name))
      }
      let list = try requirements(of: group, stated)
      if groups.count == 1 { requirements = list } else { demand(list, of: group.files) }
    }
    if groups.isEmpty || groups.count > 1 && groups.allSatisfy(\.unknown.isEmpty) {
      requirements = others
    }
    if let device = devices.device {
      // A list has alternatives: what is demanded beside it needs another one.
      if groups.count == 1 { for group in groups { demand(requirements, of: group.files) } }
      requirements = [device]
    }
    if groups.count > 1 { warnings.append(.severalRuntimes(ofFiles(first: groups))) }
  }

  private mutating func demand(_ list: [RuntimeRequirement], of files: [RelativePath]) {
    for file in files { ofFiles[file] = list }
  }

  /// The first file of each group with what it demands.
  private func ofFiles(first groups: [RuntimeGroup]) -> [FileNeeds] {
    groups.compactMap { group in
      group.files.first.map { FileNeeds(file: $0, anyOf: ofFiles[$0] ?? []) }
    }
  }

  /// What loads the files of a group, of which `stated` speaks.
  private mutating func requirements(
    of group: RuntimeGroup,
    _ stated: [RuntimeRequirement]
  ) throws -> [RuntimeRequirement] {
    guard group.unknown.isEmpty || !stated.isEmpty else {
      throw PublishingError.unknownRuntime(group.unknown)
    }
    let derived = try group.merged()
    var list: [RuntimeRequirement] = []
    for requirement in stated {
      if let need = derived.first(where: { $0.name == requirement.name }) {
        list.append(try joined(requirement, with: need, in: group))
      } else {
        list.append(requirement)
      }
    }
    let spoken = group.partlyKnown.union(stated.map(\.name))
    return list + derived.filter { !spoken.contains($0.name) }
  }

  /// What the publisher states of a runtime that the bytes need, once both are compared.
  private mutating func joined(
    _ stated: RuntimeRequirement,
    with need: RuntimeRequirement,
    in group: RuntimeGroup
  ) throws -> RuntimeRequirement {
    let requirement = stated.written(as: need.scheme)
    if requirement.isAtLeast(need) {
      do throws(ManifestError) {
        return try requirement.joined(with: need)
      } catch {
        let others = group.needs.filter { $0.requirement.name == need.name }
        throw PublishingError.runtimesExclude(
          others + [RuntimeNeed(file: nil, requirement: requirement)]
        )
      }
    }
    if isForced {
      warnings.append(.forcedRuntime(stated: requirement, derived: need))
      return try requirement.forced(below: need)
    }
    throw requirement.isComparable(with: need)
      ? PublishingError.runtimeTooLow(stated: requirement, derived: need)
      : PublishingError.runtimeCountsOtherwise(stated: requirement, derived: need)
  }
}
