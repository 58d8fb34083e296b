import Digests
package import Manifests
import ModelFormats
import SystemFiles
import Verification

/// Makes a release of files on disk, files that are only declared, and what the publisher says.
package struct ReleaseBuilder: Sendable {
  /// How far the reading of the files has come.
  package struct Progress: Sendable {
    /// The file that is being read.
    package let file: RelativePath
    /// The bytes of all files done so far.
    package let done: Int
  }

  private let draft: ReleaseDraft
  private let listing: SourceListing

  package init(_ draft: ReleaseDraft, _ listing: SourceListing) {
    self.draft = draft
    self.listing = listing
  }

  /// The bytes that are to be read.
  package var size: Int {
    listing.files.reduce(0) { sum, file in
      let (next, overflowed) = sum.addingReportingOverflow(file.size)
      return overflowed ? .max : next
    }
  }

  /// Reads all files, each once, and puts the release together.
  ///
  /// The start of every file is looked at first, so that an unfit one is found before hours of hashing. The same
  /// files and draft give an equal release. Blocks the calling thread.
  /// - Parameter report: Called after each block; false stops the work.
  /// - Returns: The release and what its publisher should know.
  /// - Throws: ``PublishingError``, `ManifestError` for files that make no release together, `DigestError`,
  ///   `SystemError`, or `CancellationError` once `report` has said false.
  package func build(report: (Progress) -> Bool) throws -> BuiltRelease {
    try checkTogether()
    try checkMirrors()
    let inspected = try inspectedFiles(report)
    let together = try inspectTogether(inspected)
    try checkLinks(inspected)
    try checkLicenses(inspected)
    let runtimes = try DerivedRuntimes(of: inspected.map(\.inspection), draft)
    let plans = ChunkPlan.plans(
      for: inspected.map { ($0.size, $0.inspection.report.edges.offsets) }
    )
    var entries: [FileEntry] = []
    var done = 0
    for (file, plan) in zip(inspected, plans) {
      let path = file.source.path
      do {
        entries.append(
          try file.entry(plan, demanding: runtimes.ofFiles[path] ?? []) { count in
            report(Progress(file: path, done: done + count))
          }
        )
      } catch DigestError.cancelled {
        throw CancellationError()
      }
      done += file.size
    }
    return BuiltRelease(
      release: try release(of: entries, runtimes.requirements),
      warnings: warnings(about: inspected, together) + runtimes.warnings
    )
  }

  /// Checks what takes no reading: the names together, and the mirrors.
  private func checkTogether() throws {
    var paths = PathSet()
    for path in listing.files.map(\.path) + draft.declared.map(\.path) { try paths.insert(path) }
    let count = listing.files.count + draft.declared.count
    guard count > 1 else { return }
    for mirror in draft.mirrors where !mirror.distinguishesFiles {
      throw PublishingError.mirrorOfOneFile(mirror, files: count)
    }
  }

  private func inspectedFiles(_ report: (Progress) -> Bool) throws -> [InspectedFile] {
    let stated = draft.format.map(StatedFormat.init)
    let isOnlyFile = listing.files.count + draft.declared.count == 1
    var inspected: [InspectedFile] = []
    var unfit: [UnfitFile] = []
    for file in listing.files {
      guard report(Progress(file: file.path, done: 0)) else { throw CancellationError() }
      do {
        inspected.append(
          try InspectedFile(
            file,
            stated: stated,
            isOnlyFile: isOnlyFile,
            consent: draft.consent
          )
        )
      } catch let error as InspectedFile.Unfit {
        unfit.append(error.file)
      }
    }
    guard unfit.isEmpty else { throw PublishingError.unfit(unfit) }
    return inspected
  }

  private func release(
    of entries: [FileEntry],
    _ runtimes: [RuntimeRequirement]
  ) throws(ManifestError) -> Release {
    try Release(
      model: draft.model,
      version: draft.version,
      released: draft.released,
      license: draft.license,
      files: entries + draft.declared.map(entry),
      runtimes: runtimes,
      mirrors: draft.mirrors,
      details: draft.details
    )
  }

  private func entry(of file: DeclaredFile) -> FileEntry {
    // Without bytes, only the name says what the file is for.
    let role = FileInspection(file.path, BytesInMemory([])).role
    let isOnlyFile = listing.files.isEmpty && draft.declared.count == 1
    let isStated = StatedFormat.applies(to: role, isOnlyFile: isOnlyFile)
    return FileEntry(
      path: file.path,
      size: file.size,
      sha256: file.sha256,
      role: role,
      format: StatedFormat.declared(isStated ? draft.format : nil, for: file.path),
      basis: .declared
    )
  }

  /// Checks what the files say of each other.
  private func inspectTogether(_ files: [InspectedFile]) throws -> ReleaseInspection {
    let places = Dictionary(uniqueKeysWithValues: files.map { ($0.source.path, $0.source) })
    let inspection = try ReleaseInspection(of: files.map(\.inspection)) {
      path throws(SystemError) -> FileSource in
      guard let source = places[path] else {
        preconditionFailure("only listed files are asked for")
      }
      return try FileSource(try source.open())
    }
    let judged = draft.consent.isStrict ? inspection.strict() : inspection
    guard judged.problems.isEmpty else {
      throw PublishingError.unfit(
        judged.problems.map { problem in
          UnfitFile(
            path: places[problem.file]?.place ?? problem.file.text,
            reason: .content(problem)
          )
        }
      )
    }
    return judged
  }

  /// Refuses data beside a model that has a second name on the disk, by which it can change; runtimes open none such.
  private func checkLinks(_ files: [InspectedFile]) throws(PublishingError) {
    let byPath = Dictionary(uniqueKeysWithValues: files.map { ($0.source.path, $0) })
    let unfit = files.flatMap { model in
      model.inspection.externalFiles.compactMap { path in
        byPath[path].flatMap { $0.linkCount > 1 ? $0.unfit(asDataOf: model.source.path) : nil }
      }
    }
    guard unfit.isEmpty else { throw .unfit(unfit) }
  }

  /// Refuses mirrors whose URLs have what may be secrets, where warnings refuse.
  private func checkMirrors() throws(PublishingError) {
    guard draft.consent.isStrict else { return }
    for case .secret(let mirror, let parameters) in draft.mirrors.flatMap(MirrorAdvice.about) {
      throw .secretInMirror(mirror, parameters: parameters)
    }
  }

  /// Refuses files that say another licence than the publisher, where warnings refuse.
  private func checkLicenses(_ files: [InspectedFile]) throws(PublishingError) {
    guard draft.consent.isStrict else { return }
    let unfit = files.flatMap { file in
      file.conflictingLicenses(draft.license).map { file.unfit(for: $0) }
    }
    guard unfit.isEmpty else { throw .unfit(unfit) }
  }

  private func warnings(
    about files: [InspectedFile],
    _ together: ReleaseInspection
  ) -> [BuildWarning] {
    var warnings = draft.mirrors.flatMap(MirrorAdvice.about).map(BuildWarning.mirror)
    if draft.mirrors.isEmpty { warnings.append(.noMirror) }
    if let license = draft.license, !license.isExpression {
      warnings.append(.licenseNotSPDX(license))
    }
    for file in files {
      let (path, report) = (file.source.path, file.inspection.report)
      if report.runsCode != nil { warnings.append(.runsCode(path, file.format.name)) }
      warnings += report.warnings.map { .structure(path, $0) }
      warnings += report.unverified.map { .unverified(path, $0) }
      warnings += file.conflictingLicenses(draft.license)
        .map { .licenseConflict(path, stated: $0.stated, found: $0.found) }
    }
    return warnings + together.warnings.map { .structure($0.file, $0.fault) }
  }
}
