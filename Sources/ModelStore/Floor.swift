import Digests
import Manifests
import StrictJSON
import Trust

/// The downgrade floor of a model: the contents of `floors/<model>.json`.
///
/// It stands apart from the active record, so that it outlives the removal of the model, and it knows the
/// last generation, so that generations never repeat.
struct Floor: Equatable {
  private static let schema = "sealift.floor/1"

  /// The highest version that became active and good; nil while none was good.
  let highest: VersionHistory.Entry?
  /// The generation of the last activation.
  let generation: Int

  init(highest: VersionHistory.Entry?, generation: Int) {
    self.highest = highest
    self.generation = generation
  }

  /// Reads a floor; nil if it is damaged.
  init?(bytes: [UInt8]) {
    guard let document = SealedDocument(bytes: bytes),
      let floor = try? Self(JSONMembers<JSONShapeError>(document: .object(document.object)))
    else { return nil }
    self = floor
  }

  private init?(_ members: JSONMembers<JSONShapeError>) throws {
    guard try members.string("schema") == Self.schema else { return nil }
    var highest: VersionHistory.Entry?
    if let version = try members.optionalString("version") {
      guard let manifest = SHA256Digest(hex: try members.string("manifestSha256")) else {
        return nil
      }
      highest = VersionHistory.Entry(version: try Version(version), manifest: manifest)
    }
    guard let generation = ActiveRecord.generation(try members.integer("generation")) else {
      return nil
    }
    self.init(highest: highest, generation: generation)
  }

  var bytes: [UInt8] {
    var object: JSONObject = ["schema": .string(Self.schema)]
    if let highest {
      object["version"] = .string(highest.version.text)
      object["manifestSha256"] = .string(highest.manifest.hex)
    }
    object["generation"] = .integer(Int64(generation))
    return SealedDocument(object).bytes
  }
}

/// What stands under the name of a floor.
enum FloorState: Equatable {
  case absent
  case good(Floor)
  /// There is something that is no floor, which a power cut or a person may have left.
  case damaged

  var floor: VersionHistory.Floor {
    switch self {
    case .absent: .none
    case .good(let floor): floor.highest.map { .at($0) } ?? .none
    case .damaged: .unreadable
    }
  }

  /// The generation of the last activation that is known.
  var generation: Int {
    guard case .good(let floor) = self else { return 0 }
    return floor.generation
  }
}
