package import Manifests
package import ModelFormats

/// What a publisher says about a release before its files are read.
package struct ReleaseDraft: Sendable {
  package var model: ModelName
  package var version: Version
  package var released: Timestamp
  package var license: License?
  package var mirrors: [MirrorTemplate]
  package var runtimes: [RuntimeRequirement]
  /// The format of the weights, which must be that of their bytes where these tell.
  package var format: FormatName?
  package var declared: [DeclaredFile]
  package var details: ReleaseDetails
  /// What is not refused although it is seldom meant.
  package var consent = InspectionConsent()
  /// Whether a runtime may be stated from below the version that the bytes need; the manifest says so.
  package var forcesRuntimes = false
  /// Whether the files are one model in several formats, so that a client needs only one of the runtimes.
  package var anyRuntimeIsEnough = false

  package init(
    model: ModelName,
    version: Version,
    released: Timestamp,
    license: License? = nil,
    mirrors: [MirrorTemplate] = [],
    runtimes: [RuntimeRequirement] = [],
    format: FormatName? = nil,
    declared: [DeclaredFile] = [],
    details: ReleaseDetails = ReleaseDetails()
  ) {
    self.model = model
    self.version = version
    self.released = released
    self.license = license
    self.mirrors = mirrors
    self.runtimes = runtimes
    self.format = format
    self.declared = declared
    self.details = details
  }
}
