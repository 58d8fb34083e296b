package import Manifests

/// The place at which an audit ended, and at which another one goes on: the first chunk that was not looked at.
///
/// Written `MODEL@FOLDER:FILE.CHUNK`, the numbers counted from 0 in the order of the manifest; a folder outside of a
/// store is written as its version alone.
package struct AuditCursor: Hashable, Sendable {
  package let model: ModelName
  /// The name of the version's folder in the store, or the version outside of one.
  package let version: String
  package let file: Int
  package let chunk: Int

  package init(model: ModelName, version: String, file: Int, chunk: Int) {
    self.model = model
    self.version = version
    self.file = file
    self.chunk = chunk
  }

  package var text: String { "\(model.text)@\(version):\(file).\(chunk)" }

  /// Reads what ``text`` writes; nil for anything else.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let at = bytes.firstIndex(of: UInt8(ascii: "@")),
      let colon = bytes.lastIndex(of: UInt8(ascii: ":")), at < colon,
      let dot = bytes.lastIndex(of: UInt8(ascii: ".")), colon < dot,
      let model = try? ModelName(String(decoding: bytes[..<at], as: UTF8.self)),
      let file = Self.number(bytes[(colon + 1)..<dot]),
      let chunk = Self.number(bytes[(dot + 1)...])
    else { return nil }
    let version = bytes[(at + 1)..<colon]
    guard (1...255).contains(version.count), version.allSatisfy(Self.isNameByte) else { return nil }
    self.init(
      model: model,
      version: String(decoding: version, as: UTF8.self),
      file: file,
      chunk: chunk
    )
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard (1...6).contains(bytes.count),
      bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self))
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
