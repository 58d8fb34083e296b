import StrictJSON
import Trust

/// A signed document as lines of text, so that two of them can be compared and nothing in them is left out.
///
/// Every member is in it, those that nobody knows as well: an entry of a list of keys, files or targets is one line, and so is
/// each text of an array.
struct SignedLines {
  /// The objects whose members are entries of a list.
  private static let lists: Set<String> = ["targets", "meta", "keys", "delegations.keys"]

  private(set) var lines: [String] = []

  /// Writes down what an object says; two objects with the same lines say the same.
  init(_ object: JSONObject) { add(object, at: "") }

  private mutating func add(_ object: JSONObject, at path: String) {
    let isList = Self.lists.contains(path)
    let members = object.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    for member in members {
      let name = Self.name(member.name, mayHaveDots: isList)
      if isList {
        lines.append("\(path) \(name): \(Self.text(member.value))")
      } else {
        add(member.value, at: path.isEmpty ? name : "\(path).\(name)")
      }
    }
  }

  private mutating func add(_ value: JSONValue, at path: String) {
    switch value {
    case .object(let object) where !object.isEmpty: add(object, at: path)
    case .array(let values) where !values.isEmpty:
      for value in values { lines.append("\(path)[]: \(Self.text(value))") }
    default: lines.append("\(path): \(Self.text(value))")
    }
  }

  /// A name as it is, or in quotation marks where it could be taken for something else.
  private static func name(_ name: String, mayHaveDots: Bool) -> String {
    let isPlain =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        case UInt8(ascii: "."): mayHaveDots
        default: "_-/+@".utf8.contains(byte)
        }
      }
    return isPlain ? name : text(.string(name))
  }

  private static func text(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.canonical(value), as: UTF8.self)
  }

  /// What `new` takes away from `old` and adds to it, a line each.
  ///
  /// Lines that stand in both in another order, or not equally often, are told as such: where rules are tried one after the
  /// other, their order is what somebody signs.
  static func differences(from old: SignedLines?, to new: SignedLines) -> [String] {
    let before = old?.lines ?? []
    let (gone, come) = (Set(before), Set(new.lines))
    let changed =
      before.filter { !come.contains($0) }.map { "- \($0)" }
      + new.lines.filter { !gone.contains($0) }.map { "+ \($0)" }
    let kept = (before.filter(come.contains), new.lines.filter(gone.contains))
    return kept.0 == kept.1 ? changed : changed + ["  the rest stands in another order"]
  }
}
