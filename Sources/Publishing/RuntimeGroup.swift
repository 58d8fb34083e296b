import Manifests
import ModelFormats

/// Files of a release that need the same runtimes: any one of these loads them all.
struct RuntimeGroup {
  private(set) var files: [RelativePath] = []
  private(set) var names: Set<RuntimeName> = []
  private(set) var needs: [RuntimeNeed] = []
  /// What the files name that no runtime is known for.
  private(set) var unknown: [String] = []
  /// The runtimes of which only a part is known: they alone are no way to load the files.
  private(set) var partlyKnown: Set<RuntimeName> = []

  /// The groups of the files that need anything, in the order of their first files.
  ///
  /// With `isOne`, all of them are one group: the same model in several formats.
  static func groups(of files: [FileInspection], isOne: Bool) -> [RuntimeGroup] {
    var groups: [RuntimeGroup] = []
    for file in files {
      let report = file.report
      guard !report.runtimes.isEmpty || !report.unknownToRuntimes.isEmpty else { continue }
      let names = Set(report.runtimes.map(\.name))
      if let index = groups.firstIndex(where: { isOne || $0.names == names }) {
        groups[index].add(file)
      } else {
        var group = RuntimeGroup()
        group.add(file)
        groups.append(group)
      }
    }
    return groups
  }

  private mutating func add(_ file: FileInspection) {
    let report = file.report
    files.append(file.path)
    names.formUnion(report.runtimes.map(\.name))
    needs += report.runtimes.map { RuntimeNeed(file: file.path, requirement: $0) }
    unknown += report.unknownToRuntimes.filter { !unknown.contains($0) }
    if !report.unknownToRuntimes.isEmpty { partlyKnown.formUnion(report.runtimes.map(\.name)) }
  }

  /// One need for each runtime; names the files where no version has all that they need.
  func merged() throws(PublishingError) -> [RuntimeRequirement] {
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
}
