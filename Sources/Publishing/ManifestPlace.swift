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
    let release = try Folder(path: folder).status().identity
    var ancestor = try deepestFolder(of: path)
    while true {
      let here = try Folder(path: ancestor).status().identity
      guard here != release else {
        throw PublishingError.manifestInsideRelease(manifest: path, folder: folder)
      }
      let above = ancestor + "/.."
      // Only the root is its own parent.
      guard try Folder(path: above).status().identity != here else { return }
      ancestor = above
    }
  }

  /// The deepest folder on the way to `path` that exists.
  private static func deepestFolder(of path: String) throws(SystemError) -> String {
    var folder = splitPath(path).folder
    while true {
      do {
        _ = try Folder(path: folder)
        return folder
      } catch let error where error.isNotFound && folder != "." && folder != "/" {
        folder = splitPath(folder).folder
      }
    }
  }
}
