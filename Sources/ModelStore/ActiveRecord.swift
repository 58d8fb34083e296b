package import Digests
package import Manifests
import StrictJSON

/// Which version of a model is active: the contents of `active.json`.
///
///     {"schema":"sealift.active/1","model":"lfm2-2.6b","generation":2,
///      "active":{"version":"1.1.0","folder":"1.1.0-…","manifestSha256":"…"},
///      "previous":{…},"activatedAt":"2026-11-30T00:00:00Z"}
///     sha256:<of the first line>
///
package struct ActiveRecord: Hashable, Sendable {
  /// A version that is or was active.
  package struct Entry: Hashable, Sendable {
    package let name: VersionName
    package let manifest: SHA256Digest

    package var version: Version { name.version }
  }

  package let model: ModelName
  /// Grows by one with each activation; tells records apart, and their order.
  package let generation: Int
  package let active: Entry
  /// The version that was active before: the way back.
  package let previous: Entry?
  /// For people; nothing is decided by it.
  package let activatedAt: Timestamp
}

extension ActiveRecord {
  private static let schema = "sealift.active/1"

  /// Reads a record; nil if it is damaged, of another schema, or about another model.
  init?(bytes: [UInt8], model: ModelName) {
    guard let document = SealedDocument(bytes: bytes),
      let record = try? Self(JSONMembers<JSONShapeError>(document: .object(document.object))),
      record.model == model
    else { return nil }
    self = record
  }

  private init?(_ members: JSONMembers<JSONShapeError>) throws {
    guard try members.string("schema") == Self.schema,
      let active = try Entry(members.object("active"))
    else { return nil }
    self.model = try ModelName(try members.string("model"))
    self.generation = try members.integer("generation")
    self.active = active
    self.activatedAt = try Timestamp(try members.string("activatedAt"))
    guard let previous = try members.optionalObject("previous") else {
      self.previous = nil
      return
    }
    guard let entry = try Entry(previous) else { return nil }
    self.previous = entry
  }

  /// The record as it is written.
  var bytes: [UInt8] {
    var object: JSONObject = [
      "schema": .string(Self.schema),
      "model": .string(model.text),
      "generation": .integer(Int64(generation)),
      "active": active.value,
    ]
    if let previous { object["previous"] = previous.value }
    object["activatedAt"] = .string(activatedAt.text)
    return SealedDocument(object).bytes
  }
}

extension ActiveRecord.Entry {
  fileprivate init?(_ members: JSONMembers<JSONShapeError>) throws {
    guard let name = VersionName(try members.string("folder")),
      let manifest = SHA256Digest(hex: try members.string("manifestSha256")),
      name.belongs(to: manifest)
    else { return nil }
    self.init(name: name, manifest: manifest)
  }

  fileprivate var value: JSONValue {
    [
      "version": .string(version.text),
      "folder": .string(name.text),
      "manifestSha256": .string(manifest.hex),
    ]
  }
}
