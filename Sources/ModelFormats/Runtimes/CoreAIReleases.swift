import Manifests

/// The first systems that have Core AI.
enum CoreAIReleases {
  private static let first = "27.0"

  static func requirements(assetVersion: String) -> [RuntimeRequirement] {
    let because = ["Core AI asset version \(assetVersion)"]
    let requirement = try? RuntimeRequirement(
      name: RuntimeName("coreai"),
      scheme: .dotted,
      minimum: first,
      because: because
    )
    return requirement.map { [$0] } ?? []
  }
}
