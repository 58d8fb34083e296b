import Manifests

/// The files of one release with what each of them said, for checks across files.
struct ReleaseFiles {
  /// In the order of the paths.
  let inspections: [FileInspection]
  private let open: (RelativePath) -> FormatReader?
  private let places: [[UInt8]: Int]

  init(_ inspections: [FileInspection], open: @escaping (RelativePath) -> FormatReader?) {
    self.inspections = inspections.sorted { $0.path < $1.path }
    self.open = open
    var places: [[UInt8]: Int] = [:]
    for (index, inspection) in self.inspections.enumerated() {
      places[Array(inspection.path.text.utf8)] = index
    }
    self.places = places
  }

  /// The file with this path; nil if the release does not have it.
  subscript(path: String) -> FileInspection? {
    places[Array(path.utf8)].map { inspections[$0] }
  }

  /// The file that `location` names from the folder of `path`.
  func file(at location: String, beside path: RelativePath) -> FileInspection? {
    self[(path.components.dropLast() + [location]).joined(separator: "/")]
  }

  /// Reads a file of the release.
  func read<Value>(
    _ path: RelativePath,
    _ body: (inout FormatReader) throws(FormatStop) -> Value
  ) throws(FormatStop) -> Value {
    guard var reader = open(path) else { throw .unreadable }
    return try body(&reader)
  }
}
