import Digests
package import StrictJSON

/// One version of one model: a closed set of files and what their publisher says about them.
///
/// A value of this type keeps the rules of the manifest: at least one file and at most 100,000,
/// paths that lie beside each other on every system, sizes up to 2^53 - 1, chunks that cover their
/// files. It says nothing about who signed it.
package struct Release: Equatable, Sendable {
  package static let maximumFileCount = 100_000

  package let model: ModelName
  package let version: Version
  package let released: Timestamp
  package let license: License?
  /// In the order of the bytes of their paths.
  package let files: [FileEntry]
  /// What can load the release; any one is enough, and an empty list demands nothing.
  package let runtimes: [RuntimeRequirement]
  package let mirrors: [MirrorTemplate]
  package let details: ReleaseDetails

  /// Takes files in any order; throws the rule that they break together.
  package init(
    model: ModelName,
    version: Version,
    released: Timestamp,
    license: License? = nil,
    files: [FileEntry],
    runtimes: [RuntimeRequirement] = [],
    mirrors: [MirrorTemplate] = [],
    details: ReleaseDetails = ReleaseDetails()
  ) throws(ManifestError) {
    try Self.check(files)
    self.model = model
    self.version = version
    self.released = released
    self.license = license
    self.files = files.sorted { $0.path < $1.path }
    self.runtimes = runtimes
    self.mirrors = mirrors
    self.details = details
  }

  /// The bytes of all files together.
  package var size: Int { files.reduce(0) { $0 + $1.size } }

  private static func check(_ files: [FileEntry]) throws(ManifestError) {
    guard !files.isEmpty else { throw .release(.noFiles) }
    guard files.count <= maximumFileCount else {
      throw .release(.tooManyFiles(limit: maximumFileCount, found: files.count))
    }
    var paths = PathSet()
    var size = 0
    var chunkCount = 0
    for file in files {
      try paths.insert(file.path)
      do { try file.check() } catch { throw .release(error) }
      // No sum overflows: the terms are below 2^53, and so is the sum before.
      size += file.size
      guard size <= FileEntry.maximumSize else { throw .release(.tooLarge) }
      chunkCount += file.chunks?.chunks.count ?? 0
      guard chunkCount <= ChunkLength.maximumCount else {
        throw .release(.tooManyChunks(limit: ChunkLength.maximumCount))
      }
    }
  }
}

/// What a manifest may say about a release beyond what is needed to install it.
package struct ReleaseDetails: Equatable, Sendable {
  /// From this time on the release is no longer to be installed.
  package var expires: Timestamp?
  package var title: String?
  package var notes: String?
  /// The models that this one was made from, as free text.
  package var baseModels: [String]
  /// How the release was made: a JSON value that is kept and not interpreted.
  package var provenance: JSONValue?
  package var needs: HostNeeds?
  /// Members that a reader must understand or refuse the release; see `CriticalMembers`.
  package var critical: [String]

  /// Takes what there is to say.
  package init(
    expires: Timestamp? = nil,
    title: String? = nil,
    notes: String? = nil,
    baseModels: [String] = [],
    provenance: JSONValue? = nil,
    needs: HostNeeds? = nil,
    critical: [String] = []
  ) {
    self.expires = expires
    self.title = title
    self.notes = notes
    self.baseModels = baseModels
    self.provenance = provenance
    self.needs = needs
    self.critical = critical
  }
}
