package import Manifests
import SystemFiles

/// Where manifests lie.
package enum ManifestPlace {
  /// The path of a release's manifest in a tree of them: `manifests/<model>/<version>.json`.
  package static func path(of model: ModelName, _ version: Version) -> String {
    "manifests/\(model.folderName)/\(version).json"
  }

  /// Refuses a path for a manifest that lies in the folder of the release itself.
  ///
  /// The manifest would be one of the files when the release is sealed again.
  /// - Throws: ``PublishingError/manifestInsideRelease(manifest:folder:)`` or `SystemError`.
  package static func check(_ path: String, isOutside folder: String) throws {
    guard try !wouldLie(path, within: folder) else {
      throw PublishingError.manifestInsideRelease(manifest: path, folder: folder)
    }
  }
}
