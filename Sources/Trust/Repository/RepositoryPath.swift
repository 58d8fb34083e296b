package import Manifests

/// The paths of the targets of a repository.
///
///     policy.json
///     withdrawn.json
///     manifests/<model>/<version>.json      acme/tiny-chat is written acme+tiny-chat
///     index/<model>.json                    in repositories that cannot be listed
package enum RepositoryPath {
  package static let policy = "policy.json"
  package static let withdrawn = "withdrawn.json"

  /// The path of the manifest of a release.
  package static func manifest(of model: ModelName, _ version: Version) -> String {
    "\(manifests)/\(model.folderName)/\(version)\(suffix)"
  }

  /// The path of the list of the releases of a model.
  package static func index(of model: ModelName) -> String { "index/\(model.folderName)\(suffix)" }

  /// The release whose manifest has this path; nil for any other path.
  package static func release(at path: String) -> (model: ModelName, version: Version)? {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual(manifests.utf8),
      parts[2].suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    else { return nil }
    let folder = parts[1].map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "/") : $0 }
    let number = parts[2].dropLast(suffix.utf8.count)
    do {
      let model = try ModelName(String(decoding: folder, as: UTF8.self))
      let version = try Version(String(decoding: Array(number), as: UTF8.self))
      // One release has one path: this one, byte for byte.
      return manifest(of: model, version).utf8.elementsEqual(path.utf8) ? (model, version) : nil
    } catch {
      return nil
    }
  }

  private static let manifests = "manifests"
  private static let suffix = ".json"
}
