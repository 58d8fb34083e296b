import Manifests
import SystemFiles

extension ManifestFile {
  /// Writes the bytes over which signatures stand to a file of their own, which is there whole or not at all.
  ///
  /// What stands there is never replaced; the same bytes are left as they are.
  /// - Throws: ``PublishingError/outputIsInput(_:)`` where that would be the manifest itself,
  ///   ``PublishingError/otherOutputThere(_:)`` where something else stands, and `SystemError`.
  package func exportSignedBytes(to output: String) throws {
    let (parent, name) = splitPath(output)
    let folder = try Folder(path: parent)
    try folder.lock()
    let bytes = envelope.signedBytes
    if let status = try folder.status(of: name) {
      guard try status.identity != OpenFile(reading: path).status().identity else {
        throw PublishingError.outputIsInput(output)
      }
      guard status.kind == .file, status.size == bytes.count,
        try folder.readFile(name, limit: bytes.count) == bytes
      else { throw PublishingError.otherOutputThere(output) }
      return
    }
    try folder.removeLeftovers(of: name)
    try folder.replaceFile(name, with: bytes, mode: 0o644)
  }
}
