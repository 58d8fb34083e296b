import Manifests
import ModelFormats
import Verification

/// Checks that Core ML packages among the files of a release are whole.
enum PackageCheck {
  static func unfitPackages(in files: [SourceFile]) throws -> [UnfitFile] {
    var unfit: [UnfitFile] = []
    for package in CoreMLPackage.packages(in: files.map(\.path)) {
      guard let problem = try problem(of: package, in: files) else { continue }
      let place = files.first { $0.path == problem.file }?.place
      unfit.append(UnfitFile(path: place ?? problem.file.text, reason: .content(problem)))
    }
    return unfit
  }

  private static func problem(
    of package: CoreMLPackage,
    in files: [SourceFile]
  ) throws -> FormatProblem? {
    if let problem = package.missingManifest { return problem }
    guard let manifest = files.first(where: { $0.path == package.manifest }) else { return nil }
    return try package.check(manifest: try FileSource(try manifest.open()))
  }
}
