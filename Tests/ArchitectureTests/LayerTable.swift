/// The layers of the design: what each target may import from this package.
///
/// Imports point down only.
///
/// A new edge is a design decision: change this table with the import that needs it, and say why.
enum LayerTable {
  static let cModules = ["CLinux", "CSodium", "CCurl", "CCrypto", "CHashLanes"]

  static let machine: [String: [String]] = [
    "SystemFiles": ["CLinux"],
    "StrictJSON": [],
    "Digests": ["CCrypto", "CHashLanes", "SystemFiles"],
    "Signatures": ["CSodium", "CCrypto", "Digests", "SystemFiles"],
    "Transfers": ["CCurl", "Digests", "SystemFiles"],
  ]

  static let meaning: [String: [String]] = [
    "Manifests": ["Digests", "Signatures", "StrictJSON"],
    "ModelFormats": ["Manifests", "Digests", "StrictJSON"],
    "Trust": ["Manifests", "Digests", "Signatures", "StrictJSON"],
  ]

  private static let belowWork = Array(machine.keys) + Array(meaning.keys)

  static let work: [String: [String]] = [
    "Verification": belowWork,
    "ModelStore": belowWork + ["Verification"],
    "Repositories": belowWork,
    "Publishing": belowWork + ["Verification", "Repositories"],
    "Installing": belowWork + ["Verification", "ModelStore"],
    "Auditing": belowWork + ["Verification", "ModelStore"],
  ]

  private static let belowSurface = belowWork + Array(work.keys)

  static let surface: [String: [String]] = [
    "Sealift": belowSurface.filter { !["Publishing", "Repositories"].contains($0) },
    "CommandLineKit": ["StrictJSON"],
    "CommandErrors": belowSurface + ["CommandLineKit"],
    "PublisherCommands": belowSurface + ["CommandErrors", "CommandLineKit"],
    "ConsumerCommands": belowSurface + ["CommandErrors", "CommandLineKit"],
    "sealift-publish": ["PublisherCommands", "CommandLineKit"],
    "sealift-tuf-client": belowWork + ["Repositories", "CommandLineKit"],
    "sealift": ["ConsumerCommands", "CommandLineKit"],
  ]

  /// The files above the machine layer where `unsafe` may stand: the terminal, the process, its descriptors and environment.
  ///
  /// Decisions 9 and 47 say why they are not machine targets.
  static let filesWithUnsafe =
    [
      "CommandThread.swift", "DescriptorRoom.swift", "Interruption.swift", "OutputSink.swift",
      "PassphrasePrompt.swift",
      "ProcessInput.swift", "RunTool.swift", "Terminal.swift",
    ].map { "CommandLineKit/" + $0 } + ["Sealift/EnvironmentVariable.swift"]

  /// What the toolchain brings and any Swift target may use.
  ///
  /// Foundation is not in it.
  static let toolchain = ["Swift", "Glibc", "Dispatch", "Synchronization", "Observation"]

  /// The Swift targets of `Sources/` with all that they may import.
  static let swiftTargets = [machine, meaning, work, surface].reduce(into: [String: [String]]()) {
    $0.merge($1) { first, _ in first }
  }
}
