package import Manifests
import SystemFiles

extension StoredModel {
  /// The envelope that an interrupted run has left with a candidate, which nobody has checked since; nil if there is none.
  ///
  /// It says what that run was to install, so that the same can be asked for again.
  package func manifest(ofCandidate name: VersionName) throws -> [UInt8]? {
    let place =
      "\(StoreLayout.staging)/\(name.text)/\(StoreLayout.tree)/\(StoreLayout.manifest)"
    return try folder.readFile(place, limit: Envelope.maximumSize)
  }

  /// The bytes that must be free for a release of which so many are on disk already.
  package static func bytesNeeded(for release: Release, onDisk bytes: Int) -> Int {
    max(0, release.size - bytes) + StoreLayout.reservedBytes
  }
}
