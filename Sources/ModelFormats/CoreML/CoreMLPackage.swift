package import Manifests
import StrictJSON

/// A Core ML package: a folder `NAME.mlpackage` of a release, with `Manifest.json` and the items
/// that it lists below `Data/`.
package struct CoreMLPackage: Hashable, Sendable {
  private static let maximumManifestSize = 1 << 20

  /// The path of the folder.
  package let folder: String
  /// All files of the folder.
  package let files: [RelativePath]

  /// Returns the packages among the files of a release, in the order of their first files.
  package static func packages(in paths: [RelativePath]) -> [CoreMLPackage] {
    var folders: [String] = []
    var files: [String: [RelativePath]] = [:]
    for path in paths {
      guard let folder = folder(of: path) else { continue }
      if files[folder] == nil { folders.append(folder) }
      files[folder, default: []].append(path)
    }
    return folders.map { CoreMLPackage(folder: $0, files: files[$0] ?? []) }
  }

  /// The manifest of the package; nil when the release doesn't have it.
  package var manifest: RelativePath? {
    files.first { $0.text.utf8.elementsEqual("\(folder)/Manifest.json".utf8) }
  }

  /// Checks that the package is whole: it has a manifest, and files for each item that the manifest
  /// lists.
  package func check<Source: ByteSource>(
    manifest source: Source
  ) throws(Source.Failure) -> FormatProblem? {
    guard let manifest else { return missing("Manifest.json") }
    let bytes = try source.read(at: 0, count: Self.maximumManifestSize)
    let problem = FormatProblem(file: manifest, fault: .badPackageManifest, firstBytes: bytes)
    guard source.size <= Self.maximumManifestSize, let items = Self.itemPaths(in: bytes) else {
      return problem
    }
    let known = Set(files.flatMap(Self.places))
    for item in items where !known.contains(Array("\(folder)/Data/\(item)".utf8)) {
      return missing("Data/\(item)")
    }
    return nil
  }

  /// Returns the files that belong to no item of the manifest; all but the manifest if that can't be read.
  func filesOfNoItem(manifest bytes: [UInt8]) -> [RelativePath] {
    let items = Set((Self.itemPaths(in: bytes) ?? []).map { Array("\(folder)/Data/\($0)".utf8) })
    return files.filter { $0 != manifest && !Self.places(of: $0).contains(where: items.contains) }
  }

  /// The path of a file, and those of all folders around it: what an item that holds the file may name.
  private static func places(of file: RelativePath) -> [[UInt8]] {
    let bytes = Array(file.text.utf8)
    return bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { Array(bytes[..<$0]) }
      + [bytes]
  }

  /// Returns the problem of a package without `Manifest.json`.
  package var missingManifest: FormatProblem? { manifest == nil ? missing("Manifest.json") : nil }

  private func missing(_ name: String) -> FormatProblem? {
    files.first.map {
      FormatProblem(
        file: $0,
        fault: .bundleIncomplete(missing: "\(folder)/\(name)"),
        firstBytes: []
      )
    }
  }

  /// The outermost folder of `path` whose name ends with `.mlpackage`.
  static func folder(of path: RelativePath) -> String? {
    let folders = path.components.dropLast()
    let end = folders.firstIndex { $0.utf8.suffix(10).elementsEqual(".mlpackage".utf8) }
    return end.map { folders[...$0].joined(separator: "/") }
  }

  /// The paths of all items below `Data/`; nil unless the root model is one of them.
  private static func itemPaths(in bytes: [UInt8]) -> [String]? {
    guard let value = try? JSONReader.parse(bytes),
      let manifest = try? JSONMembers<JSONShapeError>(document: value),
      (try? manifest.string("fileFormatVersion")) != nil,
      let root = try? manifest.string("rootModelIdentifier"),
      let entries = try? manifest.object("itemInfoEntries"), entries.object.contains(root)
    else { return nil }
    var paths: [String] = []
    for (_, node) in entries.nodes {
      guard let path = try? node.object().string("path") else { return nil }
      paths.append(path)
    }
    return paths
  }
}
