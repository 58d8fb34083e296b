import Manifests

/// The first systems that have Core AI.
enum CoreAIReleases {
  private static let first = "27.0"

  static func requirements(because reason: String) -> [RuntimeRequirement] {
    [
      RuntimeRequirement(
        known: RuntimeName(known: "coreai"),
        scheme: .dotted,
        minimum: first,
        because: [reason]
      )
    ]
  }
}
