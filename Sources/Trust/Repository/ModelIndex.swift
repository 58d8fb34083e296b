package import Digests
package import Manifests
import StrictJSON

/// The releases of one model: the target `index/<model>.json` of a repository whose targets lie in bins.
///
///     { "model": "lfm2-2.6b", "schema": "sealift.index/1",
///       "releases": [ { "channels": ["stable"], "released": "2026-11-30T00:00:00Z", "sha256": "<64 hex>", "version": "1.0.0" } ] }
///
/// A bin cannot be found without the path of a release, so a client reads here which there are. What it installs is what
/// the entry in the bin says. Unknown members are ignored.
package struct ModelIndex: Hashable, Sendable {
  /// A release and the file of its manifest.
  package struct Row: Hashable, Sendable {
    package let entry: ReleaseEntry
    /// The SHA-256 of the target, as its entry in the bin has it.
    package let digest: SHA256Digest

    package init(entry: ReleaseEntry, digest: SHA256Digest) {
      (self.entry, self.digest) = (entry, digest)
    }
  }

  private static let schema = "sealift.index/1"

  package let model: ModelName
  /// The releases by version, each once.
  package let rows: [Row]

  /// Makes an index of rows that are about `model`; throws `repeatedRelease`.
  package init(model: ModelName, rows: [Row]) throws(RepositoryError) {
    precondition(rows.allSatisfy { $0.entry.model == model }, "an index is about one model")
    self.model = model
    self.rows = rows.sorted { $0.entry.version < $1.entry.version }
    for (one, next) in zip(self.rows, self.rows.dropFirst())
    where one.entry.version == next.entry.version {
      throw .repeatedRelease(path: RepositoryPath.index(of: model), model, one.entry.version)
    }
  }

  /// Reads the target; throws `document`, also for the index of another model, or `repeatedRelease`.
  package init(parsing bytes: [UInt8], of model: ModelName) throws(RepositoryError) {
    let path = RepositoryPath.index(of: model)
    let rows = try readDocument(bytes, at: path) { members throws(DocumentProblem) in
      try members.node("schema").expect(Self.schema)
      try members.node("model").expect(model.text)
      return try members.objects("releases").map { row throws(DocumentProblem) in
        Row(
          entry: ReleaseEntry(
            model: model,
            version: try row.version("version"),
            channels: try row.channels("channels"),
            released: try row.time("released")
          ),
          digest: try row.node("sha256").sha256()
        )
      }
    }
    try self.init(model: model, rows: rows)
  }

  /// The bytes of the target, always the same for the same index.
  package func encode() -> [UInt8] {
    JSONWriter.canonical([
      "schema": .string(Self.schema), "model": .string(model.text),
      "releases": .array(
        rows.map { row in
          [
            "version": .string(row.entry.version.text), "channels": row.entry.channels.document,
            "released": .string(row.entry.released.text), "sha256": .string(row.digest.hex),
          ]
        }
      ),
    ])
  }
}
