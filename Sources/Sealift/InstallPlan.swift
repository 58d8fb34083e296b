import Installing
import Manifests
import ModelStore

/// What an install would take, to be shown before it begins.
public struct InstallPlan: Hashable, Sendable {
  /// The model.
  public let model: String
  /// The version.
  public let version: String
  /// The bytes of all files of the release.
  public let size: Int
  /// Whether the version is on this machine already.
  public let isInstalled: Bool
  /// The most bytes that will be fetched: without what an interrupted install, or other versions, have already.
  public let downloadSize: Int
  /// The bytes that are free where the store is.
  public let freeSpace: Int
  /// How many bytes are missing on disk; 0 if there is room.
  public let missingSpace: Int

  init(model: String, _ forecast: InstallForecast) {
    self.model = model
    version = forecast.name.version.text
    size = forecast.size
    isInstalled = forecast.isInstalled
    downloadSize = forecast.fetchedBytes
    freeSpace = forecast.freeBytes
    missingSpace = forecast.missingRoom
  }
}

/// An install that did not come to its end, and that no process goes on with now.
public struct InterruptedInstall: Hashable, Sendable {
  /// The model.
  public let model: String
  /// The version that was to be installed.
  public let version: String
  /// The part of its bytes that was here when it last said so.
  public let fraction: Double
  /// Why it ended: ``ModelFailure/Reason/interrupted`` where its process was killed or cancelled, or the machine went down.
  public let failure: ModelFailure
}
