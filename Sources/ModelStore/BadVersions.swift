package import Digests
package import Manifests
import StrictJSON

/// The versions of a model that are marked bad, with reasons: `bad.json`.
package struct BadVersions: Hashable, Sendable {
  package struct Mark: Hashable, Sendable {
    package let name: VersionName
    package let manifest: SHA256Digest
    package let reason: String
    package let markedAt: Timestamp
  }

  private static let schema = "sealift.bad/1"

  package var marks: [Mark] = []

  /// The mark of a version; nil if it is not bad.
  package func mark(of name: VersionName) -> Mark? { marks.first { $0.name == name } }
}

extension BadVersions: SealedMarks {
  init?(_ members: JSONMembers<JSONShapeError>) throws {
    guard try members.string("schema") == Self.schema else { return nil }
    for object in try members.objects("versions") {
      guard let name = VersionName(try object.string("folder")),
        let manifest = SHA256Digest(hex: try object.string("manifestSha256")),
        name.belongs(to: manifest)
      else { return nil }
      marks.append(
        Mark(
          name: name,
          manifest: manifest,
          reason: try object.string("reason"),
          markedAt: try Timestamp(try object.string("markedAt"))
        )
      )
    }
  }

  var object: JSONObject {
    let values = marks.map { mark -> JSONValue in
      [
        "folder": .string(mark.name.text), "manifestSha256": .string(mark.manifest.hex),
        "reason": .string(mark.reason), "markedAt": .string(mark.markedAt.text),
      ]
    }
    return ["schema": .string(Self.schema), "versions": .array(values)]
  }
}
