import Digests
import SystemFiles

/// Reads a file from the medium: past the page cache, or through a cache that was emptied before.
struct FileReader: ~Copyable {
  /// How much is read before its pages are let go.
  private static let window = 8 << 20

  private let direct: DirectFile?
  private let pace: AuditPace

  init(_ direct: consuming DirectFile?, _ file: borrowing OpenFile, _ pace: AuditPace) {
    self.direct = direct
    self.pace = pace
    file.expectSequentialReads()
  }

  /// How the bytes of the file, whose cache was dropped just now, come to the hash.
  func reading(of file: borrowing OpenFile) throws(SystemError) -> AuditedFile.Reading {
    switch direct {
    case .some: return .direct
    case .none: break
    }
    guard let cached = try file.cachedBytes() else { return .unknown }
    return cached == 0 ? .cold : .throughCache
  }

  func outcome(
    against table: ChunkTable,
    _ file: borrowing OpenFile,
    among indices: [Int]
  ) throws(DigestError) -> ChunkOutcome {
    var manner = ReadingManner()
    manner.leavesNoCache = true
    manner.pace = { [pace] in pace.wait(for: $0) }
    let check = ChunkCheck(against: table, reading: manner)
    switch direct {
    case .some(let file):
      return try check.outcome(past: file, among: indices) { pace.done($0) }
    case .none:
      return try check.outcome(in: file, among: indices) { [pace] in pace.done($0) }
    }
  }

  /// The digest of the whole file, which has this size.
  ///
  /// An end of the time that comes with the last byte ends nothing: the work was done.
  func digest(of size: Int, _ file: borrowing OpenFile) throws(DigestError) -> SHA256Digest {
    var done = 0
    switch direct {
    case .some(let file):
      return try SHA256Digest(reading: size, past: file) { count in
        done += count
        pace.wait(for: count)
        return pace.done(count) || done >= size
      }
    case .none:
      return try SHA256Digest(reading: file) { count in
        done += count
        if done % Self.window < count { file.dropCache(at: 0, count: done) }
        pace.wait(for: count)
        return pace.done(count) || done >= size
      }
    }
  }
}
