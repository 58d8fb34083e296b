package import Digests
package import Manifests
import SystemFiles
import TestSupport

/// A release with all its bytes, from which everything that a publisher hands out is made.
///
///     let signer = try SimulatedSigner("release")
///     let release = try SimulatedRelease.tiny("1.0.0")
///     try release.write(to: TemporaryFolder.path("mirror"))
///     let manifest = try release.manifest(signedBy: [signer])
///
package struct SimulatedRelease: Sendable {
  package let model: ModelName
  package let version: Version
  package var files: [SimulatedFile]
  package var released: Timestamp
  package var runtimes: [RuntimeRequirement] = []
  package var mirrors: [MirrorTemplate] = []
  package var details = ReleaseDetails()

  package init(
    _ model: String = "tiny",
    _ version: String = "1.0.0",
    files: [SimulatedFile]
  ) throws {
    self.model = try ModelName(model)
    self.version = try Version(version)
    self.files = files
    released = try Timestamp("2026-01-01T00:00:00Z")
  }

  /// A model of three small files, one of them in a folder and one without chunk table.
  ///
  /// The weights differ from version to version.
  package static func tiny(_ version: String = "1.0.0", model: String = "tiny") throws
    -> SimulatedRelease
  {
    let seed = version.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
    return try SimulatedRelease(
      model,
      version,
      files: [
        SimulatedFile(
          "model.gguf",
          SampleModel.gguf(elements: 6_000, seed: seed),
          chunkLength: 4 * 1024
        ),
        SimulatedFile("config.json", Array("{\"version\":\"\(version)\"}".utf8)),
        SimulatedFile("tokenizer/merges.txt", Array("a b\nc d\n".utf8), chunkLength: nil),
      ]
    )
  }

  /// The release as a manifest describes it.
  package func release() throws -> Release {
    try Release(
      model: model,
      version: version,
      released: released,
      files: files.map(\.entry),
      runtimes: runtimes,
      mirrors: mirrors,
      details: details
    )
  }

  /// The manifest in its envelope, with a signature of each signer.
  package func envelope(signedBy signers: [SimulatedSigner]) throws -> Envelope {
    try Envelope(release: try release()).signed(by: signers)
  }

  /// The bytes of the manifest file.
  package func manifest(signedBy signers: [SimulatedSigner]) throws -> [UInt8] {
    try envelope(signedBy: signers).encode()
  }

  /// The digest that names the manifest, whoever signs it.
  package func digest() throws -> SHA256Digest { SHA256Digest(of: try release().encode()) }

  /// The bytes of each file by its path.
  package var contents: [String: [UInt8]] {
    Dictionary(files.map { ($0.path.text, $0.bytes) }) { first, _ in first }
  }
}

// On disk.
extension SimulatedRelease {
  /// Writes the files by their paths beneath `folder`, which is made.
  ///
  /// A mirror is then `file://FOLDER/{name}`, or a web server on the folder.
  package func write(to folder: String) throws {
    let root = try Folder(creating: folder, mode: 0o755)
    for file in files { try Self.write(file.bytes, at: file.path.components, in: root) }
  }

  /// Writes the files by their digests as `blobs/sha256/<hex>` beneath `folder`, which is made.
  package func writeBlobs(to folder: String) throws {
    let root = try Folder(creating: folder, mode: 0o755)
    for file in files {
      let place = ["blobs", "sha256", SHA256Digest(of: file.bytes).hex]
      try Self.write(file.bytes, at: place, in: root)
    }
  }

  private static func write(
    _ bytes: [UInt8],
    at place: [String],
    in root: borrowing Folder
  ) throws {
    guard let name = place.last else { return }
    let folder = try root.makeFolders(place.dropLast(), mode: 0o755)
    try folder.replaceFile(name, with: bytes, mode: 0o644)
  }
}
