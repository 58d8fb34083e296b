import StrictJSON

/// The versions of a model that stay until a person says otherwise: `pins.json`.
package struct PinnedVersions: Hashable, Sendable {
  private static let schema = "sealift.pins/1"

  package var names: Set<VersionName> = []

  package init() {}

  package init(names: Set<VersionName>) { self.names = names }
}

extension PinnedVersions: SealedMarks {
  init?(_ members: JSONMembers<JSONShapeError>) throws {
    guard try members.string("schema") == Self.schema else { return nil }
    for text in try members.strings("versions") {
      guard let name = VersionName(text) else { return nil }
      names.insert(name)
    }
  }

  var object: JSONObject {
    let texts = names.map(\.text).sorted()
    return ["schema": .string(Self.schema), "versions": .array(texts.map { .string($0) })]
  }
}
