/// Checks one way in which files of a release belong together.
protocol ReleaseInspector {
  /// Adds problems and warnings about the files that it knows; one release may hold several sets.
  static func inspect(_ files: ReleaseFiles, into findings: inout ReleaseInspection)
}

extension ReleaseInspection {
  /// Every check across files, in the order in which problems are reported.
  static var inspectors: [any ReleaseInspector.Type] {
    [
      GGUFShardSets.self, GGUFCompanions.self, SafetensorsShardSets.self, ExternalFiles.self,
      CoreMLPackages.self, CompiledCoreMLModels.self, AIModels.self,
    ]
  }
}
