package import Manifests

extension FileInspection {
  /// What the bytes need of a runtime; any one of the list is enough for this file.
  package var needs: FileNeeds { FileNeeds(file: path, anyOf: report.runtimes) }

  /// Returns what is wrong with a file whose digest is the signed one: the publisher's fault.
  ///
  /// That is a problem of the file itself, or a fact of `entry` that the bytes contradict.
  package func problem(against entry: FileEntry) -> FormatProblem? {
    if let problem { return problem }
    let contradiction =
      entry.format.contradiction(by: format) ?? entry.role.contradiction(by: format)
    return contradiction.map {
      FormatProblem(file: path, fault: .structure($0), firstBytes: [])
    }
  }
}
