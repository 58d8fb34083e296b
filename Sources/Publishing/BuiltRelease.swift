package import Manifests
package import ModelFormats

/// A release that was put together, and what its publisher should know before signing it.
package struct BuiltRelease: Sendable {
  package let release: Release
  package let warnings: [BuildWarning]

  /// The manifest, which nobody has signed yet.
  ///
  /// - Throws: `ManifestError` when the manifest would be larger than a reader accepts.
  package func envelope() throws(ManifestError) -> Envelope { try Envelope(release: release) }
}

/// Something that is allowed in a release and seldom meant.
package enum BuildWarning: Equatable, Sendable {
  case mirror(MirrorAdvice)
  /// No client can fetch the release without naming a mirror.
  case noMirror
  /// Loading the file can run code that is in it.
  case runsCode(RelativePath, FormatName)
  /// Something in the file is allowed and seldom meant.
  case structure(RelativePath, StructureFault)
  /// The file could not be checked in full, which was agreed to.
  case unverified(RelativePath, StructureFault)
  /// The licence is not an expression of SPDX, which programs that check licences read.
  case licenseNotSPDX(License)
  /// The file says another licence than the publisher.
  case licenseConflict(RelativePath, stated: License, found: String)
  /// The publisher states a runtime from below the version that the bytes need, and insists.
  case forcedRuntime(stated: RuntimeRequirement, derived: RuntimeRequirement)
  /// No one runtime loads all files: a client must have one for each of these.
  case severalRuntimes([FileNeeds])
}
