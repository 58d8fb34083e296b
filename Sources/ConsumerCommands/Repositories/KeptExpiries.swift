import Digests
import Manifests
import Repositories
import StrictJSON
import Trust

/// When what is known of a repository expires, kept beside it so that nobody reads a long list of releases to know it.
///
///     { "expires": { "root": "…Z", "snapshot": "…Z", "targets": "…Z", "timestamp": "…Z" }, "pin": "<64 hex>",
///       "root": "<64 hex>", "schema": "sealift.expiries/1", "timestamp": "<64 hex>" }
///
/// It holds for the files with these SHA-256 alone: the timestamp names the snapshot, and that the targets. Nothing is
/// trusted because of it: it decides whether a person is warned.
struct KeptExpiries {
  private static let name = "expiries.json"
  private static let schema = "sealift.expiries/1"
  private static let limit = 4_096

  typealias Expiry = (role: RoleName, time: Timestamp)

  /// What `repository` has said, which was accepted as a whole.
  static func keep(
    _ metadata: TrustedMetadata,
    of repository: PinnedRepository,
    in session: RepositorySession
  ) throws {
    let ends = metadata.expiries.map { ($0.role.text, JSONValue.string($0.time.text)) }
    let document: JSONValue = [
      "schema": .string(schema),
      "pin": .string(SHA256Digest(of: repository.root).hex),
      "root": .string(SHA256Digest(of: metadata.root.bytes).hex),
      "timestamp": .string(SHA256Digest(of: metadata.timestamp.bytes).hex),
      "expires": .object(JSONObject(uniqueMembers: ends)),
    ]
    try session.keepAccepted(JSONWriter.canonical(document), as: name)
  }

  /// What was kept; nil where nothing was, or where the files beside it are others by now.
  static func read(
    of repository: PinnedRepository,
    in folder: RepositoryFolder
  ) throws -> [Expiry]? {
    guard let bytes = try folder.accepted(name, limit: limit),
      let root = try folder.bytes(of: .root), let timestamp = try folder.bytes(of: .timestamp)
    else { return nil }
    do {
      let members = try JSONMembers<DocumentProblem>(document: JSONReader.parse(bytes))
      for (name, bytes) in [("pin", repository.root), ("root", root), ("timestamp", timestamp)] {
        guard try members.string(name) == SHA256Digest(of: bytes).hex else { return nil }
      }
      let ends = try members.object("expires")
      return try [RoleName.root, .timestamp, .snapshot, .targets].map { role in
        (role, try Timestamp(try ends.string(role.text)))
      }
    } catch {
      // Whatever else stands there says nothing.
      return nil
    }
  }
}
