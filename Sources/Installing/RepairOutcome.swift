package import ModelStore
package import Transfers

/// What a repair has found and left in the store.
package struct RepairOutcome: Sendable {
  package let name: VersionName
  /// The folder of the model files.
  package let filesPath: String
  /// What was wrong; nothing is now.
  package let damage: Damage
  /// The folder in the trash with all that was taken out of the version; nil if that is nothing.
  package let replacedPath: String?
  /// What the mirrors did, and what came from this machine; nil if no file had to be made anew.
  package let report: FetchReport?
}
