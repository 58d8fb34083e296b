import StrictJSON

/// The keys that metadata lists, each under its name, in the order of the file.
package struct KeyTable: Equatable, Sendable {
  package private(set) var keys: [MetadataKey] = []
  private var places: [KeyID: Int] = [:]

  /// Lists keys; of two under one name the later one is kept.
  package init(_ keys: [MetadataKey] = []) {
    for key in keys { insert(key) }
  }

  /// The key under this name, whether or not it is usable.
  package subscript(id: KeyID) -> MetadataKey? { places[id].map { keys[$0] } }

  /// Adds a key, in the place of the one that has its name.
  package mutating func insert(_ key: MetadataKey) {
    if let place = places[key.id] {
      keys[place] = key
    } else {
      places[key.id] = keys.count
      keys.append(key)
    }
  }

  /// Takes a key out; nothing happens if there is none of this name.
  package mutating func remove(_ id: KeyID) {
    self = KeyTable(keys.filter { $0.id != id })
  }

  package static func == (one: KeyTable, other: KeyTable) -> Bool {
    one.places.count == other.places.count && one.keys.allSatisfy { other[$0.id] == $0 }
  }
}

extension KeyTable {
  /// Reads the object `keys`.
  ///
  /// Throws only if a key is no object: one that is malformed in itself counts for nothing.
  init(_ members: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    self.init(
      try members.nodes.map { name, node throws(MetadataProblem) in
        MetadataKey(id: KeyID(name), members: try node.object().object)
      }
    )
  }

  var signed: JSONValue {
    .object(JSONObject(uniqueMembers: keys.map { ($0.id.text, .object($0.members)) }))
  }
}
