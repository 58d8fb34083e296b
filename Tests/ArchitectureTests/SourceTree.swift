import Foundation

/// The Swift files of the package as text, found from the place of this file.
enum SourceTree {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func folders(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: name).path)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  static func swiftFiles(beneath path: String) -> [URL] {
    let files = FileManager.default.enumerator(
      at: root.appending(path: path),
      includingPropertiesForKeys: nil
    )
    return (files?.allObjects ?? []).compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
  }

  static func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The modules that the file imports, whatever the access level of the import.
  static func imports(of file: URL) throws -> [String] {
    try lines(of: file).compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard let index = words.firstIndex(of: "import"), index < words.count - 1,
        words[..<index].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) })
      else { return nil }
      let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let name = kinds.contains(words[index + 1]) ? words[index + 2] : words[index + 1]
      return name.split(separator: ".").first.map(String.init)
    }
  }

  private static let accessLevels = ["package", "public", "internal", "private", "fileprivate"]
}
