import Manifests

/// Checks that the files which a model names beside itself are in its release, and have the bytes that it needs of them.
enum ExternalFiles: ReleaseInspector {
  static func inspect(_ files: ReleaseFiles, into findings: inout ReleaseInspection) {
    for inspection in files.inspections {
      for link in inspection.report.links {
        findings.refusing(inspection.path) { findings throws(FormatStop) in
          try check(link, of: inspection.path, files, &findings)
        }
      }
    }
  }

  private static func check(
    _ link: FileLink,
    of path: RelativePath,
    _ files: ReleaseFiles,
    _ findings: inout ReleaseInspection
  ) throws(FormatStop) {
    switch link {
    case .external(let location, let end):
      try require(files.file(at: location, beside: path), location, end: end)
    case .sibling(let fileExtension, let end):
      let location = sibling(of: path, fileExtension)
      let file = try require(files.file(at: location, beside: path), location, end: end)
      guard UInt64(file.size) > end else { return }
      findings.warn(
        file.path,
        StructureFault(
          .trailingBytes,
          at: Int(end),
          "the last weights",
          expected: "the end of the file",
          found: "\(UInt64(file.size) - end) bytes more"
        )
      )
    case .blobs(let location, let offsets):
      let file = try require(files.file(at: location, beside: path), location, end: 64)
      findings.refusing(file.path) { _ throws(FormatStop) in
        try files.read(file.path) { reader throws(FormatStop) in
          try WeightBlobs.check(offsets, &reader)
        }
      }
    default: break
    }
  }

  @discardableResult
  private static func require(
    _ file: FileInspection?,
    _ location: String,
    end: UInt64
  ) throws(FormatStop) -> FileInspection {
    guard let file else {
      throw .structure(
        .externalFileMissing,
        at: 0,
        "the data beside the model",
        expected: "\"\(location)\" in the release",
        found: "no such file"
      )
    }
    guard end <= UInt64(file.size) else {
      throw .structure(
        .outOfBounds,
        at: 0,
        "the data in \"\(location)\"",
        expected: "at least \(end) bytes",
        found: "\(file.size) bytes"
      )
    }
    return file
  }

  /// The name of a file, with another extension.
  private static func sibling(of path: RelativePath, _ fileExtension: String) -> String {
    let stem = path.fileName.utf8.dropLast((path.fileExtension?.utf8.count ?? -1) + 1)
    return "\(String(decoding: Array(stem), as: UTF8.self)).\(fileExtension)"
  }
}
