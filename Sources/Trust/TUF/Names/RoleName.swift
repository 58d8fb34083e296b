import Manifests

/// The name of a role of a repository: one of the four at the top, or whatever a delegation calls it.
///
/// Names are compared as bytes.
package struct RoleName: Hashable, Sendable {
  package static let root = RoleName(checked: "root")
  package static let timestamp = RoleName(checked: "timestamp")
  package static let snapshot = RoleName(checked: "snapshot")
  package static let targets = RoleName(checked: "targets")

  private static let topLevel: Set<RoleName> = [.root, .timestamp, .snapshot, .targets]
  private static let ending = ".json"
  /// The most bytes of a name.
  static let longest = 1_024

  private let name: ExactText

  package var text: String { name.text }

  /// Takes any text of 1 to 1,024 bytes; what it may do as a file name or in a URL is settled there.
  package init?(_ text: String) {
    guard 1...Self.longest ~= text.utf8.count else { return nil }
    self.init(checked: text)
  }

  private init(checked text: String) { name = ExactText(text) }

  /// Reads the name that metadata gives to the role's file, `<role>.json`; nil for another form.
  init?(metadataName: String) {
    let bytes = metadataName.utf8
    guard bytes.count > Self.ending.utf8.count,
      bytes.suffix(Self.ending.utf8.count).elementsEqual(Self.ending.utf8)
    else { return nil }
    self.init(String(decoding: bytes.dropLast(Self.ending.utf8.count), as: UTF8.self))
  }

  /// The name that metadata gives to the role's file, without a version (6.2.1).
  var metadataName: String { text + Self.ending }

  /// Whether this is root, timestamp, snapshot or targets, which no delegation may be named.
  package var isTopLevel: Bool { Self.topLevel.contains(self) }

  /// The name of the role's file in a folder of a client: never a path, different for different roles.
  ///
  /// No delegated role has that of a top-level one, not even where the system ignores case: `%54imestamp.json`.
  package var fileName: String {
    let name = EncodedName.fileName(text)
    let isTwin = !isTopLevel && RoleName(checked: name.lowercased()).isTopLevel
    return (isTwin ? EncodedName.encodingFirst(name) : name) + Self.ending
  }

  /// The last part of the URL of the role's file, encoded; with the version in front where files have one.
  package func requestName(version: Int?) -> String {
    (version.map { "\($0)." } ?? "") + EncodedName.percentEncoded(text) + Self.ending
  }
}

extension RoleName: CustomStringConvertible {
  /// The name, fit for a terminal.
  package var description: String { escaped(text) }
}

extension RoleName: Comparable {
  package static func < (one: RoleName, other: RoleName) -> Bool { one.name < other.name }
}
