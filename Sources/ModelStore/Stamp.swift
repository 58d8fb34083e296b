import Digests
package import Manifests
import StrictJSON
import SystemFiles

/// The proof that every byte of a version was verified as it lies on disk: `stamps/<name>.json`.
///
/// It holds what the file system said of each file and folder after the last step that touched it. While all of that is
/// unchanged the bytes need no reading again, and nothing was added; a stamp that does not match proves nothing. The
/// change time of an inode can be forged only through the clock or the raw device.
package struct Stamp: Equatable, Sendable {
  private static let schema = "sealift.stamp/1"

  let manifest: SHA256Digest
  /// When this client first accepted the manifest; later judgements of its keys use this time.
  package let acceptedAt: Timestamp
  let facts: StampFacts

  init(manifest: SHA256Digest, acceptedAt: Timestamp, facts: StampFacts) {
    self.manifest = manifest
    self.acceptedAt = acceptedAt
    self.facts = facts
  }

  /// Whether it says anything of files and folders; one of a version that was found damaged does not.
  var vouches: Bool { !facts.folders.isEmpty }

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
      facts: StampFacts(
        files: try members.objects("files").map(StampFacts.File.init),
        folders: try members.objects("folders").map(StampFacts.Holder.init)
      )
    )
  }

  var bytes: [UInt8] {
    SealedDocument([
      "schema": .string(Self.schema),
      "manifestSha256": .string(manifest.hex),
      "acceptedAt": .string(acceptedAt.text),
      "files": .array(facts.files.map(\.value)),
      "folders": .array(facts.folders.map(\.value)),
    ]).bytes
  }
}

extension StampFacts.File {
  fileprivate init(_ members: JSONMembers<JSONShapeError>) throws {
    self.init(
      path: try RelativePath(try members.string("path")),
      identity: try members.identity,
      size: try members.integer("size"),
      modifiedAt: try members.number("modified"),
      changedAt: try members.number("changed")
    )
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

extension StampFacts.Holder {
  fileprivate init(_ members: JSONMembers<JSONShapeError>) throws {
    self.init(
      path: try members.string("path"),
      identity: try members.identity,
      modifiedAt: try members.number("modified"),
      changedAt: try members.number("changed")
    )
  }

  fileprivate var value: JSONValue {
    [
      "path": .string(path),
      "device": .integer(Int64(bitPattern: identity.device)),
      "inode": .integer(Int64(bitPattern: identity.inode)),
      "modified": .integer(Int64(modifiedAt)),
      "changed": .integer(Int64(changedAt)),
    ]
  }
}

extension JSONMembers<JSONShapeError> {
  fileprivate var identity: FileIdentity {
    get throws {
      FileIdentity(
        device: UInt64(bitPattern: Int64(try number("device"))),
        inode: UInt64(bitPattern: Int64(try number("inode")))
      )
    }
  }

  /// A number of 64 bits, which may be negative.
  fileprivate func number(_ name: String) throws -> Int {
    try integer(name, in: Int.min...Int.max)
  }
}
