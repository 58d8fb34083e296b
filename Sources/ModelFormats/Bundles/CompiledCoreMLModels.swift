import Manifests

/// Checks that compiled Core ML models have the file without which nothing loads them.
enum CompiledCoreMLModels: ReleaseInspector {
  static func inspect(_ files: ReleaseFiles, into findings: inout ReleaseInspection) {
    for (bundle, members) in files.bundles(.mlmodelc) {
      let needed = "\(bundle.folder)/coremldata.bin"
      // A compiled pipeline has its models in folders of their own.
      guard !members.contains(where: { $0.path.fileName == "coremldata.bin" }),
        let first = members.first
      else { continue }
      findings.refuse(first.path, .bundleIncomplete(missing: needed))
    }
  }
}
