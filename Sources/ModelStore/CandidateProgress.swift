import Glibc
import Manifests
import Synchronization
import SystemFiles

/// How far the work on a candidate is, for those who wait for it.
package struct CandidateProgress: Hashable, Sendable {
  package let phase: Journal.Phase
  package let done: Int
  package let total: Int

  package init(phase: Journal.Phase, done: Int, total: Int) {
    self.phase = phase
    self.done = done
    self.total = total
  }

  /// The length to which a line is filled up, so that a shorter one covers a longer one.
  static let size = 64

  init?(bytes: [UInt8]) {
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let phase = Journal.Phase(rawValue: String(words[0])),
      let done = Int(words[1]), let total = Int(words[2]), done >= 0, total >= done
    else { return nil }
    self.init(phase: phase, done: done, total: total)
  }

  var bytes: [UInt8] {
    let line = Array("\(phase.rawValue) \(done) \(total)".utf8)
    return line + [UInt8](repeating: UInt8(ascii: " "), count: max(0, Self.size - 1 - line.count))
      + [UInt8(ascii: "\n")]
  }
}

/// Writes the progress of a candidate where other processes can follow it, a few times a second at most.
///
/// It is worth nothing after a crash, so nothing is synced, and a failure to write it is nobody's failure.
package final class ProgressNote: Sendable {
  private static let pause = Duration.milliseconds(200)

  private let file: OpenFile
  private let last = Mutex<(phase: Journal.Phase, time: ContinuousClock.Instant)?>(nil)

  init(_ file: consuming OpenFile) { self.file = file }

  /// Notes how far the work is, if the last note is old enough or was about another phase.
  package func note(_ progress: CandidateProgress) {
    let now = ContinuousClock.now
    let isDue = last.withLock { last in
      if let last, last.phase == progress.phase, now - last.time < Self.pause { return false }
      last = (progress.phase, now)
      return true
    }
    if isDue { try? file.write(progress.bytes.span, at: 0) }
  }
}

extension StoredModel {
  /// How far the process is that works on this candidate; nil if nobody says.
  package func progress(of candidate: VersionName) -> CandidateProgress? {
    let place = "\(StoreLayout.staging)/\(candidate.text)/\(StoreLayout.progress)"
    let bytes = try? folder.readFile(place, limit: StoreLayout.recordLimit)
    return bytes.flatMap { $0 }.flatMap(CandidateProgress.init)
  }
}
