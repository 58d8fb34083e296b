import Digests
import Manifests

/// Checks Core AI models: a program, its description, and the digest of the program.
///
/// The loader ends the process on a damaged program, and never looks at the digest; so the digest is compared here.
enum AIModels: ReleaseInspector {
  private static let digestLength = 32
  /// As much as a reader loads without running into its budget.
  private static let stretch = 128 << 20

  static func inspect(_ files: ReleaseFiles, into findings: inout ReleaseInspection) {
    for (bundle, members) in files.bundles(.aimodel) {
      guard let first = members.first else { continue }
      findings.refusing(first.path) { findings throws(FormatStop) in
        try check(bundle, first.path, files, &findings)
      }
    }
  }

  private static func check(
    _ bundle: ModelBundle,
    _ first: RelativePath,
    _ files: ReleaseFiles,
    _ findings: inout ReleaseInspection
  ) throws(FormatStop) {
    for name in ["metadata.json", "main.mlirb"] where files["\(bundle.folder)/\(name)"] == nil {
      throw .fault(.bundleIncomplete(missing: "\(bundle.folder)/\(name)"))
    }
    guard let program = files["\(bundle.folder)/main.mlirb"] else { return }
    guard let hash = files["\(bundle.folder)/main.hash"] else {
      return findings.warn(
        first,
        StructureFault(
          .bundleIncomplete,
          at: 0,
          "the model",
          expected: "the digest of its program in main.hash",
          found: "no such file"
        )
      )
    }
    findings.refusing(hash.path) { _ throws(FormatStop) in
      guard hash.size == digestLength else {
        throw stop(.badShape, "\(digestLength) bytes", "\(hash.size)")
      }
      let expected = try files.read(hash.path) { reader throws(FormatStop) in
        try reader.take(digestLength)
      }
      let found = try digest(of: program, files)
      guard SHA256Digest(bytes: expected) == found else {
        throw stop(.formatFactsMismatch, "the SHA-256 of main.mlirb, \(found.hex)", "another")
      }
    }
  }

  private static func stop(_ code: FaultCode, _ expected: String, _ found: String) -> FormatStop {
    .structure(code, at: 0, "the digest of the program", expected: expected, found: found)
  }

  private static func digest(
    of file: FileInspection,
    _ files: ReleaseFiles
  ) throws(FormatStop) -> SHA256Digest {
    var hasher = SHA256()
    var start = 0
    while start < file.size {
      let end = min(start + stretch, file.size)
      try files.read(file.path) { reader throws(FormatStop) in
        try reader.seek(to: UInt64(start))
        while reader.offset < end {
          let bytes = try reader.take(min(FormatReader.maximumTake, end - reader.offset))
          hasher.update(bytes.span)
        }
      }
      start = end
    }
    return hasher.finalize()
  }
}
