import Digests
import Manifests
import ModelFormats
import SystemFiles
import Verification

/// A file whose content was recognised, and what the file system said of it at that time.
struct InspectedFile {
  let source: SourceFile
  let inspection: FileInspection
  let role: FileRole
  let format: FormatFacts
  private let status: FileStatus

  /// Looks at the header of the file; throws `Unfit` for what must not be published.
  init(
    _ source: SourceFile,
    stated: StatedFormat?,
    isOnlyFile: Bool,
    consent: InspectionConsent
  ) throws {
    let file = try source.open()
    status = try file.status()
    guard try !Self.isPrivateKey(file, status) else { throw Unfit(source, .privateKey) }
    inspection = try FileInspection(source.path, try FileSource(file), consent: consent)
    if let problem = inspection.problem { throw Unfit(source, .content(problem)) }
    self.source = source
    role = inspection.role
    if let stated, StatedFormat.applies(to: role, isOnlyFile: isOnlyFile) {
      do throws(StatedFormat.Difference) {
        format = try stated.facts(given: inspection.format)
      } catch {
        throw Unfit(source, error.reason)
      }
    } else {
      format = inspection.format
    }
  }

  /// Whether a file is a private key of any kind, told by its content; larger ones are not looked at.
  private static func isPrivateKey(
    _ file: borrowing OpenFile,
    _ status: FileStatus
  ) throws(SystemError) -> Bool {
    guard status.size <= largestKey else { return false }
    return KeptDocument(try file.readAll(limit: largestKey)) == .privateKey
  }

  /// More than any private key has, in bytes.
  private static let largestKey = 64 * 1_024

  /// What makes a file unfit, thrown so that others can be looked at before all are reported.
  struct Unfit: Error {
    let file: UnfitFile

    init(_ source: SourceFile, _ reason: UnfitFile.Reason) {
      file = UnfitFile(path: source.place, reason: reason)
    }
  }

  /// How many names the file has on the disk.
  var linkCount: Int { status.linkCount }

  /// The size at the time of inspection, in bytes.
  var size: Int { status.size }

  /// Reads the whole file once and returns its entry for the manifest.
  ///
  /// `runtimes` is what the file demands beside its release. `report` is called with the bytes of this file done so
  /// far; false stops the work.
  /// - Throws: ``PublishingError/changedWhileRead(_:)`` if it is not, from inspection to end, the same file with the
  ///   same contents; `DigestError`, `SystemError`.
  func entry(
    _ plan: ChunkPlan,
    demanding runtimes: [RuntimeRequirement],
    report: (Int) -> Bool
  ) throws -> FileEntry {
    let file = try source.open()
    try requireUnchanged(try file.status())
    let digests: FileDigests
    do {
      digests = try FileDigests(
        reading: file,
        chunkLengths: plan.lengths,
        report: report
      )
    } catch DigestError.sizeChanged {
      throw PublishingError.changedWhileRead(source.path)
    }
    try requireUnchanged(try file.status())
    try requireUnchanged(try source.status())
    return FileEntry(
      path: source.path,
      size: digests.size,
      sha256: digests.whole,
      role: role,
      format: format,
      chunks: digests.chunks,
      runtimes: runtimes
    )
  }

  /// Size and times tell of any change that went through the file system; the inode tells of a replaced file.
  private func requireUnchanged(_ now: FileStatus?) throws(PublishingError) {
    guard let now, now.identity == status.identity, now.size == status.size,
      now.modifiedAt == status.modifiedAt, now.changedAt == status.changedAt
    else { throw .changedWhileRead(source.path) }
  }
}
