/// The paths of a release as they would lie on a disk that ignores case.
///
/// No two paths may be equal ignoring case, no file may be a folder of another, and one folder has
/// one spelling. The alphabet of a path is ASCII, so folding `A–Z` is all that ignoring case means,
/// and no other normalisation exists.
package struct PathSet: Sendable {
  /// Folded text to what stands there.
  private var entries: [String: (spelling: String, isFile: Bool)] = [:]

  package init() {}

  /// Adds `path`; throws `pathsCollide` with the path or folder that is already there.
  package mutating func insert(_ path: RelativePath) throws(ManifestError) {
    var spelling = ""
    let components = path.components
    for (index, component) in components.enumerated() {
      spelling += index == 0 ? component : "/" + component
      let isFile = index == components.count - 1
      let key = string(spelling.utf8.map(\.lowercase))
      guard let there = entries[key] else {
        entries[key] = (spelling, isFile)
        continue
      }
      guard !isFile, !there.isFile, there.spelling == spelling else {
        throw .release(.pathsCollide(there.spelling, path.text))
      }
    }
  }
}
