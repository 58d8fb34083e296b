package import Manifests
package import ModelStore
package import Verification

/// What is wrong with a version that is there.
package struct Damage: Sendable {
  /// A file that is as signed, and not as a store keeps it.
  package struct OddFile: Hashable, Sendable {
    package let path: RelativePath
    package let oddity: FileOddity
  }

  /// What is not as signed: wrong, missing and foreign files.
  package let findings: [FileFinding]
  package let oddFiles: [OddFile]
  /// The places in the release of the files that are made anew: those that are wrong or missing, and those with a name
  /// elsewhere.
  package let indices: [Int]

  init(
    _ findings: [FileFinding],
    _ oddities: [(index: Int, oddity: FileOddity)],
    of release: Release
  ) {
    self.findings = findings
    oddFiles = oddities.map { OddFile(path: release.files[$0.index].path, oddity: $0.oddity) }
    let wrong = Set(findings.filter { !$0.isExtra }.map { Array($0.path.utf8) })
    var linked: Set<Int> = []
    for case (let index, .secondName) in oddities { linked.insert(index) }
    indices = release.files.indices.filter {
      linked.contains($0) || wrong.contains(Array(release.files[$0].path.text.utf8))
    }
  }

  /// Whether the version is all that it should be.
  package var isNone: Bool { findings.isEmpty && oddFiles.isEmpty }
}

extension FileFinding {
  /// Whether it is about something that the release does not have.
  package var isExtra: Bool {
    if case .extra = problem { true } else { false }
  }
}
