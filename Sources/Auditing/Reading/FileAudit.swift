import Digests
import Glibc
import Manifests
import ModelFormats
import SystemFiles
import Verification

/// Compares one file with its entry: what it is, and as much of its bytes as the selection says.
struct FileAudit {
  /// What an installed file is like; a folder outside of a store promises nothing of it.
  struct Standing {
    let mode: UInt32
    let owner: UInt32?
  }

  /// The options that hold for all files of an audit.
  struct Options {
    var isDirect = false
    var depth = FileCheck.Depth.everyByte
  }

  /// What came of it.
  struct Outcome {
    let file: AuditedFile
    /// The first chunk that is still to be read, where the work was ended.
    let stoppedAt: Int?
  }

  let entry: FileEntry
  let selection: FileSelection
  let standing: Standing?
  let options: Options
  let pace: AuditPace

  /// Looks at the file beneath `folder`, following no link.
  ///
  /// Blocks the calling thread for the time of the reading. A file that cannot be opened or read is a finding; throws
  /// `SystemError` for what says nothing of the file.
  func outcome(in folder: borrowing Folder) throws -> Outcome {
    var draft = FileDraft(entry)
    let file: OpenFile
    do {
      file = try folder.openFile(entry.path.text)
    } catch {
      let problem = ReleaseCheck.problem(for: error, at: entry.path, in: folder)
      try draft.add(problem, of: entry)
      return Outcome(file: draft.file, stoppedAt: nil)
    }
    do {
      draft.note(try file.status(), standing)
      let check = FileCheck(entry, depth: options.depth)
      var outer = try check.outerProblem(of: file)
      let stop = try read(file, in: folder, outer, into: &draft)
      // It became shorter since, or gives fewer bytes than its size says.
      if outer == nil, draft.lacksBytes {
        outer = try check.outerProblem(of: file) ?? .unreadable(SystemError("pread64", code: EIO))
      }
      if let outer {
        try draft.add(outer, of: entry)
      } else if stop == nil, draft.isWholeAndRight, selection.isEverything,
        let problem = try FileCheck(entry).formatProblem(in: file)
      {
        try draft.add(problem, of: entry)
      }
      if selection.takesWhole { file.dropCache() }
      return Outcome(file: draft.file, stoppedAt: stop)
    } catch let error as SystemError {
      try draft.add(.unreadable(error), of: entry)
    } catch let error as DigestError {
      switch error {
      case .unreadable(let error): try draft.add(.unreadable(error), of: entry)
      case .sizeChanged(let size, let found):
        try draft.add(.wrongSize(expected: size, found: found), of: entry)
      case .cancelled: return Outcome(file: draft.file, stoppedAt: 0)
      }
    }
    return Outcome(file: draft.file, stoppedAt: nil)
  }

  // MARK: Reading

  /// Reads what is to be read; returns the chunk at which it was ended.
  private func read(
    _ file: borrowing OpenFile,
    in folder: borrowing Folder,
    _ outer: FileProblem?,
    into draft: inout FileDraft
  ) throws -> Int? {
    guard selection.takesWhole, entry.size > 0 else { return nil }
    // An empty file, or a pointer, has no chunk to name.
    if let outer, !outer.leavesChunks { return nil }
    file.dropCache()
    let source = FileReader(try folder.directFile(entry, like: file, options), file, pace)
    draft.reading = try source.reading(of: file)
    if let table = entry.chunks {
      let stop = try readChunks(of: table, file, source, into: &draft)
      guard stop == nil, options.depth == .everyByteAndWhole, draft.isWholeAndRight else {
        return stop
      }
    } else if outer != nil {
      return nil
    }
    return try readWhole(file, source, into: &draft)
  }

  /// Reads chunks, and those that are wrong once more, cold.
  private func readChunks(
    of table: ChunkTable,
    _ file: borrowing OpenFile,
    _ source: borrowing FileReader,
    into draft: inout FileDraft
  ) throws -> Int? {
    let indices = selection.indices(in: table)
    let first = try source.outcome(against: table, file, among: indices)
    let suspects = first.differences.filter { $0.found != nil }.map(\.index)
    var second: ChunkOutcome?
    if !suspects.isEmpty {
      file.dropCache()
      second = try source.outcome(against: table, file, among: suspects)
    }
    draft.note(first, second, of: table)
    let unread = [
      first.isStopped ? indices.dropFirst(first.read.count).first : nil,
      second?.isStopped == true ? suspects.dropFirst(second?.read.count ?? 0).first : nil,
    ].compactMap { $0 }
    return unread.min()
  }

  /// Reads the whole file for its digest, and once more, cold, if that is wrong.
  private func readWhole(
    _ file: borrowing OpenFile,
    _ source: borrowing FileReader,
    into draft: inout FileDraft
  ) throws -> Int? {
    let found = try source.digest(of: entry.size, file)
    draft.bytesHashed = max(draft.bytesHashed, entry.size)
    guard found != entry.sha256 else { return nil }
    file.dropCache()
    let again = try source.digest(of: entry.size, file)
    if again != found {
      draft.findings.append(.unstable(entry, found, again))
    } else if entry.chunks == nil {
      draft.findings.append(
        AuditFinding(
          .modified,
          expected: "SHA-256 \(entry.sha256.hex)",
          actual: "SHA-256 \(found.hex)"
        )
      )
    } else {
      try draft.add(.contradiction(signed: entry.sha256, found: found), of: entry)
    }
    return nil
  }
}

extension FileProblem {
  /// Whether the chunks of such a file are worth reading, since some of them may be right.
  fileprivate var leavesChunks: Bool {
    switch self {
    case .wrongSize(_, let found): found > 0
    default: false
    }
  }
}

extension Folder {
  /// Opens the same file past the page cache, if that is asked for and can be.
  fileprivate func directFile(
    _ entry: FileEntry,
    like file: borrowing OpenFile,
    _ options: FileAudit.Options
  ) throws(SystemError) -> DirectFile? {
    guard options.isDirect, let direct = try openFileForDirectReading(entry.path.text),
      try direct.status().identity == file.status().identity
    else { return nil }
    return direct
  }
}
