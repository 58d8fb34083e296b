import Manifests
import SystemFiles

extension ManifestFile {
  /// Writes the bytes over which signatures stand to a file of their own, replacing it at one instant.
  ///
  /// - Throws: ``PublishingError/outputIsInput(_:)`` where that would be the manifest itself, and `SystemError`.
  package func exportSignedBytes(to output: String) throws {
    let (parent, name) = splitPath(output)
    let folder = try Folder(path: parent)
    try folder.lock()
    if let status = try folder.status(of: name) {
      guard try status.identity != OpenFile(reading: path).status().identity else {
        throw PublishingError.outputIsInput(output)
      }
    }
    try folder.removeLeftovers(of: name)
    try folder.replaceFile(name, with: envelope.signedBytes, mode: 0o644)
  }
}
