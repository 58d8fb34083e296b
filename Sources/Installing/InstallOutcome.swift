package import ModelStore
package import Transfers

/// What an install has left in the store.
package struct InstallOutcome: Sendable {
  package let name: VersionName
  /// The folder of the model files.
  package let filesPath: String
  /// The record that names the version; nil if it was not to be activated.
  package let record: ActiveRecord?
  /// What the mirrors did; nil if nothing was fetched.
  package let report: FetchReport?
}
