import Digests
package import Manifests
import StrictJSON
import SystemFiles

/// The proof that every byte of a version was verified as it lies on disk: `stamps/<name>.json`.
///
/// It holds what the file system said of each file after the last step that touched it. While all of that is
/// unchanged the bytes need no reading again; a stamp that does not match proves nothing. The change time of an
/// inode can be forged only through the clock or the raw device.
package struct Stamp: Equatable, Sendable {
  private static let schema = "sealift.stamp/1"

  /// What one file looked like when its bytes were right.
  struct File: Equatable, Sendable {
    let path: RelativePath
    let identity: FileIdentity
    let size: Int
    let modifiedAt: Int
    let changedAt: Int

    init(path: RelativePath, status: FileStatus) {
      self.path = path
      identity = status.identity
      size = status.size
      modifiedAt = status.modifiedAt
      changedAt = status.changedAt
    }
  }

  let manifest: SHA256Digest
  /// When this client first accepted the manifest; later judgements of its keys use this time.
  package let acceptedAt: Timestamp
  let files: [File]

  init(manifest: SHA256Digest, acceptedAt: Timestamp, files: [File]) {
    self.manifest = manifest
    self.acceptedAt = acceptedAt
    self.files = files
  }

  /// Reads a stamp; nil if it is damaged.
  init?(bytes: [UInt8]) {
    guard let document = SealedDocument(bytes: bytes),
      let stamp = try? Self(JSONMembers<JSONShapeError>(document: .object(document.object)))
    else { return nil }
    self = stamp
  }

  private init?(_ members: JSONMembers<JSONShapeError>) throws {
    guard try members.string("schema") == Self.schema,
      let manifest = SHA256Digest(hex: try members.string("manifestSha256"))
    else { return nil }
    self.init(
      manifest: manifest,
      acceptedAt: try Timestamp(try members.string("acceptedAt")),
      files: try members.objects("files").map(File.init)
    )
  }

  var bytes: [UInt8] {
    SealedDocument([
      "schema": .string(Self.schema),
      "manifestSha256": .string(manifest.hex),
      "acceptedAt": .string(acceptedAt.text),
      "files": .array(files.map(\.value)),
    ]).bytes
  }
}

extension Stamp.File {
  fileprivate init(_ members: JSONMembers<JSONShapeError>) throws {
    path = try RelativePath(try members.string("path"))
    identity = FileIdentity(
      device: UInt64(bitPattern: try Self.number("device", of: members)),
      inode: UInt64(bitPattern: try Self.number("inode", of: members))
    )
    size = try members.integer("size")
    modifiedAt = Int(try Self.number("modified", of: members))
    changedAt = Int(try Self.number("changed", of: members))
  }

  private static func number(
    _ name: String,
    of members: JSONMembers<JSONShapeError>
  ) throws -> Int64 {
    Int64(try members.integer(name, in: Int.min...Int.max))
  }

  fileprivate var value: JSONValue {
    [
      "path": .string(path.text),
      "device": .integer(Int64(bitPattern: identity.device)),
      "inode": .integer(Int64(bitPattern: identity.inode)),
      "size": .integer(Int64(size)),
      "modified": .integer(Int64(modifiedAt)),
      "changed": .integer(Int64(changedAt)),
    ]
  }
}
