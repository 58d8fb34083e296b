import Manifests
import ModelFormats

extension InspectedFile {
  /// Why the file can't be the data beside `model`.
  func unfit(asDataOf model: RelativePath) -> UnfitFile {
    let fault = StructureFault(
      .externalPathUnsafe,
      at: 0,
      "the data beside \(model)",
      expected: "a file with one name on the disk",
      found: "\(linkCount) hard links"
    )
    let problem = FormatProblem(file: source.path, fault: .structure(fault), firstBytes: [])
    return UnfitFile(path: source.place, reason: .content(problem))
  }
}
