package import SystemFiles

/// The active version of a model, held so that nothing takes it away.
package struct LeasedModel: ~Copyable, Sendable {
  package let record: ActiveRecord
  /// The folder with the files of the version, open.
  package let files: Folder
  /// The same folder, from the path of the store.
  package let filesPath: String
  package let lease: VersionLease
}
