import Manifests

/// The first systems that have Core AI.
enum CoreAIReleases {
  private static let first = "27.0"

  static func requirements(assetVersion: String) -> [RuntimeRequirement] {
    [
      RuntimeRequirement(
        known: RuntimeName(known: "coreai"),
        scheme: .dotted,
        minimum: first,
        because: ["Core AI asset version \(assetVersion)"]
      )
    ]
  }
}
