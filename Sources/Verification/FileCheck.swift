import Digests
package import Manifests
import ModelFormats
package import SystemFiles

/// Compares one file, as it lies on disk, with its entry in a manifest.
package struct FileCheck: Sendable {
  /// Which of the signed digests are compared.
  package enum Depth: Sendable {
    /// The chunk digests, which fix every byte; the digest of the whole file where there is no table.
    case everyByte
    /// The chunk digests and the digest of the whole file: two passes over the file.
    case everyByteAndWhole
  }

  private let entry: FileEntry
  let depth: Depth

  package init(_ entry: FileEntry, depth: Depth = .everyByte) {
    self.entry = entry
    self.depth = depth
  }

  /// Reads the file and says what is wrong with it, or nil.
  ///
  /// Blocks the calling thread for the time of a SHA-256 over the file. What is in the page cache is read
  /// from there; call `dropCache` first to read from the medium.
  /// - Parameters:
  ///   - file: The open file; what is verified is this descriptor, whatever its name.
  ///   - report: Called on any thread with each count of bytes done; false stops the work.
  /// - Returns: The first problem found, or nil.
  /// - Throws: `CancellationError` once `report` has said false.
  package func problem(
    in file: borrowing OpenFile,
    report: @Sendable (Int) -> Bool
  ) throws(CancellationError) -> FileProblem? {
    try problem(in: file, without: [], report: report)
  }

  /// Does so without reading the chunks that are known to lie right in the file.
  func problem(
    in file: borrowing OpenFile,
    without read: Set<Int>,
    report: @Sendable (Int) -> Bool
  ) throws(CancellationError) -> FileProblem? {
    do throws(SystemError) {
      if let problem = try outerProblem(of: file) { return problem }
    } catch {
      return .unreadable(error)
    }
    do throws(DigestError) {
      if let problem = try wrongBytes(in: file, without: read, report: report) {
        return pointer(in: file) ?? problem
      }
    } catch {
      switch error {
      case .unreadable(let error): return .unreadable(error)
      case .sizeChanged(_, let size): return .wrongSize(expected: entry.size, found: size)
      case .cancelled: throw CancellationError()
      }
    }
    do throws(SystemError) {
      return try formatProblem(in: file)
    } catch {
      return .unreadable(error)
    }
  }

  /// Says what is wrong with a file of one chunk, whose bytes have the digest `whole`, or nil.
  func problem(in file: borrowing OpenFile, whole: SHA256Digest) -> FileProblem? {
    guard let table = entry.chunks, table.chunks.map(\.digest) == [whole] else {
      return pointer(in: file) ?? .wrongChunks(entry.chunks?.chunks ?? [])
    }
    if depth == .everyByteAndWhole, whole != entry.sha256 {
      return .contradiction(signed: entry.sha256, found: whole)
    }
    do throws(SystemError) {
      return try formatProblem(in: file)
    } catch {
      return .unreadable(error)
    }
  }

  /// What can be said without reading the file.
  package func outerProblem(of file: borrowing OpenFile) throws(SystemError) -> FileProblem? {
    let status = try file.status()
    guard status.kind == .file else { return .notAFile(status.kind) }
    guard status.size == entry.size else {
      return pointer(in: file) ?? .wrongSize(expected: entry.size, found: status.size)
    }
    return nil
  }

  /// Says that a file whose bytes are wrong is a pointer of Git LFS; nil for any other, and for one that can't be read.
  private func pointer(in file: borrowing OpenFile) -> FileProblem? {
    guard let source = try? FileSource(file),
      case .lfsPointer(let pointer)? = try? ContentSniffer.fault(of: entry.path, source)
    else { return nil }
    return .pointer(pointer, insteadOf: entry.sha256, size: entry.size)
  }

  private func wrongBytes(
    in file: borrowing OpenFile,
    without read: Set<Int>,
    report: @Sendable (Int) -> Bool
  ) throws(DigestError) -> FileProblem? {
    if let table = entry.chunks {
      let wrong = try wrongChunks(of: table, in: file, without: read, report: report)
      if !wrong.isEmpty { return .wrongChunks(wrong.map { table.chunks[$0] }) }
      if depth == .everyByte { return nil }
    }
    let found = try SHA256Digest(reading: file, report: report)
    guard found != entry.sha256 else { return nil }
    return entry.chunks == nil
      ? .wrongDigest(expected: entry.sha256, found: found)
      : .contradiction(signed: entry.sha256, found: found)
  }

  private func wrongChunks(
    of table: ChunkTable,
    in file: borrowing OpenFile,
    without read: Set<Int>,
    report: @Sendable (Int) -> Bool
  ) throws(DigestError) -> [Int] {
    let rest = table.chunks.indices.filter { !read.contains($0) }
    let done = table.size - rest.reduce(0) { $0 + table.chunks[$1].length }
    guard done == 0 || report(done) else { throw .cancelled }
    let outcome = try ChunkCheck(against: table).outcome(in: file, among: rest, report: report)
    if outcome.isStopped { throw .cancelled }
    return outcome.differences.map(\.index)
  }

  /// What is wrong with the header of a file whose bytes are the signed ones, or nil.
  package func formatProblem(in file: borrowing OpenFile) throws(SystemError) -> FileProblem? {
    let consent = InspectionConsent(of: entry.format)
    let inspection = try FileInspection(entry.path, try FileSource(file), consent: consent)
    return inspection.problem(against: entry).map(FileProblem.notAModel)
  }
}
