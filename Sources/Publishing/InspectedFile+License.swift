import Manifests
import ModelFormats

extension InspectedFile {
  /// A licence in a file that is not the one of the release.
  struct LicenseConflict {
    let stated: License
    let found: String
  }

  /// The licences that the file says and that contradict `stated`; none if nothing is stated.
  func conflictingLicenses(_ stated: License?) -> [LicenseConflict] {
    guard let stated else { return [] }
    return inspection.report.licenses.filter { !stated.agrees(with: $0) }
      .map { LicenseConflict(stated: stated, found: $0) }
  }

  /// The file as one that a conflict keeps out of the release.
  func unfit(for conflict: LicenseConflict) -> UnfitFile {
    let fault = StructureFault(
      .licenceConflict,
      at: 0,
      "the licence",
      expected: conflict.stated.text,
      found: conflict.found
    )
    let problem = FormatProblem(file: source.path, fault: .structure(fault), firstBytes: [])
    return UnfitFile(path: source.place, reason: .content(problem))
  }
}
