import Manifests

/// Checks that Core ML packages are whole: the manifest, the items that it lists, and nothing besides.
enum CoreMLPackages: ReleaseInspector {
  private static let maximumManifest = 1 << 20

  static func inspect(_ files: ReleaseFiles, into findings: inout ReleaseInspection) {
    for (bundle, members) in files.bundles(.mlpackage) {
      let package = CoreMLPackage(folder: bundle.folder, files: members.map(\.path))
      if let problem = package.missingManifest {
        findings.refuse(problem.file, problem.fault)
        continue
      }
      guard let manifest = package.manifest else { continue }
      findings.refusing(manifest) { findings throws(FormatStop) in
        let bytes = try files.read(manifest) { reader throws(FormatStop) in
          try reader.take(min(reader.size, maximumManifest))
        }
        let size = files[manifest.text]?.size ?? bytes.count
        check(package, bytes, size: size, &findings)
      }
    }
  }

  private static func check(
    _ package: CoreMLPackage,
    _ bytes: [UInt8],
    size: Int,
    _ findings: inout ReleaseInspection
  ) {
    guard size == bytes.count else { return findings.refuse(package.files[0], .badPackageManifest) }
    if let problem = package.check(manifest: BytesInMemory(bytes)) {
      return findings.refuse(problem.file, problem.fault)
    }
    for file in package.filesOfNoItem(manifest: bytes) {
      findings.refuse(
        file,
        .structure(
          StructureFault(
            .bundleExtraFile,
            at: 0,
            "the package \(package.folder)",
            expected: "only files that its manifest lists",
            found: "this one"
          )
        )
      )
    }
  }
}
