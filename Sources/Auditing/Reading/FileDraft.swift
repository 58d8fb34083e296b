import Digests
import Manifests
import ModelFormats
import ModelStore
import SystemFiles
import Verification

/// What is known of a file while an audit looks at it.
struct FileDraft {
  private let entry: FileEntry
  var reading = AuditedFile.Reading.none
  var findings: [AuditFinding] = []
  var bytesHashed = 0
  private var states: [AuditedFile.ChunkState]
  private var wrong: [WrongChunk] = []
  private var modifiedAt: Int?

  init(_ entry: FileEntry) {
    self.entry = entry
    states = Array(repeating: .notRead, count: entry.chunks?.chunks.count ?? 0)
  }

  /// Whether nothing is wrong with the bytes, and none is unread.
  var isWholeAndRight: Bool {
    findings.allSatisfy { $0.severity < .error } && !states.contains { $0 != .verified }
  }

  /// Whether chunks lack bytes, of which the size has to say something.
  var lacksBytes: Bool { wrong.contains { $0.found == nil } }

  var file: AuditedFile {
    AuditedFile(
      path: entry.path.text,
      signed: .init(size: entry.size, sha256: entry.sha256, chunks: entry.chunks),
      chunks: states,
      reading: reading,
      bytesHashed: bytesHashed,
      findings: findings,
      modifiedAt: modifiedAt
    )
  }

  /// Notes what the file is like from outside.
  mutating func note(_ status: FileStatus, _ standing: FileAudit.Standing?) {
    modifiedAt = status.modifiedAt
    guard let standing, status.kind == .file else { return }
    if status.mode != standing.mode {
      findings.append(.mode(expected: standing.mode, found: status.mode))
    }
    if let owner = standing.owner, status.owner != owner {
      findings.append(
        AuditFinding(.wrongOwner, expected: "user \(owner)", actual: "user \(status.owner)")
      )
    }
    if status.linkCount > 1 {
      findings.append(
        AuditFinding(.hardlinkedElsewhere, expected: "1 name", actual: "\(status.linkCount) names")
      )
    }
  }

  /// Notes what was read of chunks, and what the second look at the wrong ones gave.
  ///
  /// A chunk that was to be read again and was not, since the work was ended, counts as not read.
  mutating func note(_ first: ChunkOutcome, _ second: ChunkOutcome?, of table: ChunkTable) {
    for index in first.read {
      states[index] = .verified
      bytesHashed += table.chunks[index].length
    }
    let again = Dictionary(
      uniqueKeysWithValues: (second?.differences ?? []).map { ($0.index, $0.found) }
    )
    let readAgain = Set(second?.read ?? [])
    var unstable: [WrongChunk] = []
    for difference in first.differences {
      let chunk = WrongChunk(difference, of: table)
      guard difference.found != nil else {
        states[difference.index] = .wrong
        wrong.append(chunk)
        continue
      }
      guard readAgain.contains(difference.index) else {
        states[difference.index] = .notRead
        continue
      }
      states[difference.index] = .wrong
      let isSame = again[difference.index].map { $0 == difference.found } ?? false
      if isSame { wrong.append(chunk) } else { unstable.append(chunk) }
    }
    if !unstable.isEmpty {
      findings.append(
        AuditFinding(
          .unstableRead,
          expected: "the same bytes twice",
          actual: "others the second time",
          chunks: unstable
        )
      )
    }
    // What is wrong because bytes are missing is said of the size.
    let isComplete = wrong.contains { $0.found != nil }
    if isComplete, wrong.allSatisfy({ $0.found != nil }) {
      findings.append(.modified(entry, wrong))
      wrong = []
    }
  }

  /// Notes a problem in the words of a check; throws what says nothing of the file.
  mutating func add(_ problem: FileProblem, of entry: FileEntry) throws {
    if case .unreadable(let error) = problem, !error.isAboutFile { throw error }
    let finding = AuditFinding(problem, of: entry, chunks: wrong)
    if finding.verdict == .empty || finding.verdict == .lfsPointer {
      states = states.map { _ in .wrong }
    }
    findings.append(finding)
  }
}

extension WrongChunk {
  fileprivate init(_ difference: ChunkDifference, of table: ChunkTable) {
    let chunk = table.chunks[difference.index]
    self.init(
      index: difference.index,
      range: chunk.range,
      expected: chunk.digest,
      found: difference.found
    )
  }
}

extension AuditFinding {
  /// Permission bits that are not those of what is installed.
  static func mode(expected: UInt32, found: UInt32, note: String? = nil) -> AuditFinding {
    AuditFinding(
      .wrongMode,
      expected: "0\(String(expected, radix: 8))",
      actual: "0\(String(found, radix: 8))",
      note: note
    )
  }

  /// A file whose bytes differ in these chunks.
  fileprivate static func modified(_ entry: FileEntry, _ wrong: [WrongChunk]) -> AuditFinding {
    let total = entry.chunks?.chunks.count ?? 0
    return AuditFinding(
      .modified,
      expected: "SHA-256 \(entry.sha256.hex)",
      actual: "other bytes in \(wrong.count) of \(total) chunks",
      chunks: wrong
    )
  }

  static func unstable(
    _ entry: FileEntry,
    _ first: SHA256Digest,
    _ second: SHA256Digest
  ) -> AuditFinding {
    AuditFinding(
      .unstableRead,
      expected: "SHA-256 \(entry.sha256.hex)",
      actual: "SHA-256 \(first.hex), and then \(second.hex)"
    )
  }

  /// A problem in the words of a check.
  init(_ problem: FileProblem, of entry: FileEntry, chunks: [WrongChunk] = []) {
    let size = "\(entry.size) bytes"
    switch problem {
    case .missing: self.init(.missing, expected: size, actual: "nothing")
    case .notAFile(let kind): self.init(.wrongType, expected: "a file", actual: kind.words)
    case .wrongSize(_, 0): self.init(.empty, expected: size, actual: "0 bytes: the file is empty")
    case .wrongSize(let expected, let found):
      self.init(
        found < expected ? .truncated : .wrongSize,
        expected: size,
        actual: "\(found) bytes",
        chunks: chunks
      )
    case .wrongChunks, .wrongDigest: self.init(.modified, expected: "SHA-256 \(entry.sha256.hex)")
    case .pointer(let pointer, _, _):
      self.init(
        .lfsPointer,
        expected: "SHA-256 \(entry.sha256.hex), \(size)",
        actual: pointer.oid.map { "a pointer to SHA-256 \($0.hex)" }
          ?? "a pointer that names no file"
      )
    case .contradiction(let signed, let found):
      self.init(
        .contradiction,
        expected: "SHA-256 \(signed.hex), as signed",
        actual: "SHA-256 \(found.hex), of signed chunks"
      )
    case .notAModel(let problem):
      self.init(.notAModel, expected: "a model as the manifest describes it", actual: problem.text)
    case .unreadable(let error): self.init(.unreadable, expected: size, actual: error.reason)
    case .extra(let kind):
      self.init(.extra, expected: "nothing of this name", actual: kind.words)
    }
  }
}

extension FileStatus.Kind {
  /// The kind with its article.
  var words: String {
    switch self {
    case .file: "a file"
    case .folder: "a folder"
    case .link: "a symbolic link"
    case .other: "a special file"
    }
  }
}
