/// The members of a JSON object, in their order, found by the bytes of their names.
///
/// Names that differ only in Unicode normal form are different members here; `JSONReader` never
/// lets two of them into one object. Finding a member takes constant time however many there are.
package struct JSONObject: Sendable {
  /// A name and its value.
  package struct Member: Sendable {
    package let name: String
    package fileprivate(set) var value: JSONValue
  }

  /// Up to this count it is faster to look at each member than to keep an index.
  private static let scannedCount = 8

  /// The members in the order in which they were read or added.
  package private(set) var members: [Member] = []

  /// Where each name stands in `members`; empty while there are few members.
  private var positions: [NameBytes: Int] = [:]

  /// Makes an object without members.
  package init() {}

  /// Makes an object of members whose names differ; the same name twice stops the program.
  package init(uniqueMembers: some Sequence<(String, JSONValue)>) {
    for (name, value) in uniqueMembers {
      precondition(!contains(name), "an object has one member of each name")
      append(name, value)
    }
  }

  package var count: Int { members.count }
  package var isEmpty: Bool { members.isEmpty }

  /// Says whether there is a member with the same bytes for its name.
  package func contains(_ name: String) -> Bool { position(of: name) != nil }

  /// The value of the member with the same bytes for its name.
  ///
  /// Setting replaces the value where it stands or adds a member at the end; setting `nil` removes
  /// the member, in time linear in the count of members.
  package subscript(name: String) -> JSONValue? {
    get { position(of: name).map { members[$0].value } }
    set {
      switch (position(of: name), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append(name, value)
      case (nil, nil): break
      }
    }
  }

  /// Adds a member whose name the caller knows to be new.
  mutating func append(_ name: String, _ value: JSONValue) {
    members.append(Member(name: name, value: value))
    if !positions.isEmpty {
      positions[NameBytes(text: name)] = members.count - 1
    } else if members.count > Self.scannedCount {
      rebuildPositions()
    }
  }

  private mutating func remove(at position: Int) {
    members.remove(at: position)
    rebuildPositions()
  }

  private mutating func rebuildPositions() {
    positions = [:]
    guard members.count > Self.scannedCount else { return }
    for (position, member) in members.enumerated() {
      positions[NameBytes(text: member.name)] = position
    }
  }

  private func position(of name: String) -> Int? {
    guard positions.isEmpty else { return positions[NameBytes(text: name)] }
    return members.firstIndex { hasSameBytes($0.name, name) }
  }
}

extension JSONObject: Equatable {
  /// Compares names and texts as bytes; the order of members doesn't count.
  package static func == (one: JSONObject, other: JSONObject) -> Bool {
    one.count == other.count && one.members.allSatisfy { other[$0.name] == $0.value }
  }
}

/// A name that is compared and hashed as UTF-8 bytes.
private struct NameBytes: Hashable {
  let text: String

  static func == (one: NameBytes, other: NameBytes) -> Bool { hasSameBytes(one.text, other.text) }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
