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
/// A version on trial has `"state":"trial","triesLeft":3` besides. Members that this program does not know are kept.
package struct ActiveRecord: Hashable, Sendable {
  /// A version that is or was active.
  package struct Entry: Hashable, Sendable {
    package let name: VersionName
    package let manifest: SHA256Digest

    package init(name: VersionName, manifest: SHA256Digest) {
      self.name = name
      self.manifest = manifest
    }

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
  /// The starts that a version on trial has left; nil for a good one.
  package let triesLeft: Int?
  /// The members that a later program has written, as a JSON object.
  let otherMembers: [UInt8]

  package init(
    model: ModelName,
    generation: Int,
    active: Entry,
    previous: Entry?,
    activatedAt: Timestamp,
    triesLeft: Int? = nil,
    otherMembers: [UInt8] = Array("{}".utf8)
  ) {
    self.model = model
    self.generation = generation
    self.active = active
    self.previous = previous
    self.activatedAt = activatedAt
    self.triesLeft = triesLeft
    self.otherMembers = otherMembers
  }

  /// The record that follows this one about the same active version.
  func changed(previous: Entry?, triesLeft: Int?) -> ActiveRecord {
    ActiveRecord(
      model: model,
      generation: generation + 1,
      active: active,
      previous: previous,
      activatedAt: activatedAt,
      triesLeft: triesLeft,
      otherMembers: otherMembers
    )
  }
}

extension ActiveRecord {
  private static let schema = "sealift.active/1"

  /// A generation that has others after it, which JSON can hold; nil for one that nobody counted up to.
  static func generation(_ number: Int) -> Int? { 0...(1 << 52) ~= number ? number : nil }

  /// Reads a record; nil if it is damaged, of another schema, or about another model.
  init?(bytes: [UInt8], model: ModelName) {
    guard let document = SealedDocument(bytes: bytes),
      let record = try? Self(JSONMembers<JSONShapeError>(document: .object(document.object))),
      record.model == model
    else { return nil }
    self = record
  }

  private static let names = [
    "schema", "model", "generation", "active", "previous", "activatedAt", "state", "triesLeft",
  ]

  private init?(_ members: JSONMembers<JSONShapeError>) throws {
    guard try members.string("schema") == Self.schema,
      let active = try Entry(members.object("active")),
      let generation = Self.generation(try members.integer("generation"))
    else { return nil }
    var previous: Entry?
    if let object = try members.optionalObject("previous") {
      guard let entry = try Entry(object) else { return nil }
      previous = entry
    }
    var triesLeft: Int?
    switch try members.optionalString("state") {
    case "trial": triesLeft = try members.integer("triesLeft")
    case nil, "good": break
    default: return nil
    }
    var others = JSONObject()
    for name in members.unknownNames(besides: Self.names) {
      others[name] = try members.node(name).value
    }
    self.init(
      model: try ModelName(try members.string("model")),
      generation: generation,
      active: active,
      previous: previous,
      activatedAt: try Timestamp(try members.string("activatedAt")),
      triesLeft: triesLeft,
      otherMembers: JSONWriter.compact(.object(others))
    )
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
    if let triesLeft {
      object["state"] = "trial"
      object["triesLeft"] = .integer(Int64(triesLeft))
    }
    if case .object(let others)? = try? JSONReader.parse(otherMembers) {
      for member in others.members { object[member.name] = member.value }
    }
    return SealedDocument(object).bytes
  }
}

extension ActiveRecord.Entry {
  fileprivate init?(_ members: JSONMembers<JSONShapeError>) throws {
    guard let name = VersionName(try members.string("folder")),
      let manifest = SHA256Digest(hex: try members.string("manifestSha256")),
      name.belongs(to: manifest),
      try members.string("version").utf8.elementsEqual(name.version.text.utf8)
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
