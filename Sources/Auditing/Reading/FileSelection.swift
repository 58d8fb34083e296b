import Digests
import Manifests
import Verification

/// Which bytes of a file are read.
enum FileSelection: Equatable, Sendable {
  case nothing
  /// Everything from this chunk on.
  case everything(from: Int)
  /// These chunks; of a file without a table, all if there is one.
  case chunks([Int])

  /// The chunks to read of a table, in order.
  func indices(in table: ChunkTable) -> [Int] {
    switch self {
    case .nothing: []
    case .everything(let first): Array(table.chunks.indices.dropFirst(first))
    case .chunks(let indices): indices
    }
  }

  /// Whether a file without a table is read.
  var takesWhole: Bool {
    switch self {
    case .nothing: false
    case .everything: true
    case .chunks(let indices): !indices.isEmpty
    }
  }

  /// Whether every byte is read, so that more can be said of the file.
  var isEverything: Bool { self == .everything(from: 0) }
}

/// What an audit reads of every file of every version that it looks at: a pure value.
///
/// It follows from the mode, the manifests and the seed alone, so that the same audit reads the same again.
struct ReadingPlan: Equatable, Sendable {
  private let mode: AuditMode
  /// How many chunks of each file are read, by the digests of manifests; only for a sample of so many bytes.
  private var counts: [SHA256Digest: [Int]] = [:]

  /// Makes a plan for these releases, in the order in which they are looked at.
  init(_ mode: AuditMode, of releases: [(digest: SHA256Digest, release: Release)]) {
    self.mode = mode
    guard case .sample(let sample) = mode, case .bytes(let wanted) = sample.amount else { return }
    let total = releases.reduce(0) { $0 + $1.release.size }
    let share = total > 0 ? min(1, Double(wanted) / Double(total)) : 0
    // What one file is short of a whole chunk counts for the next.
    var rest = 0.0
    for (digest, release) in releases {
      counts[digest] = release.files.map { file in
        rest += Double(file.units) * share
        let count = Int(rest)
        rest -= Double(count)
        return min(count, file.units)
      }
    }
  }

  /// What is read of the file at `index`, which has this entry, of the release with this digest.
  func selection(of entry: FileEntry, at index: Int, in digest: SHA256Digest) -> FileSelection {
    guard case .sample(let sample) = mode else {
      return mode == .full ? .everything(from: 0) : .nothing
    }
    let count: Int
    switch sample.amount {
    case .share(let basisPoints):
      let (high, low) = entry.units.quotientAndRemainder(dividingBy: 10_000)
      count = max(1, high * basisPoints + (low * basisPoints + 9_999) / 10_000)
    case .bytes: count = counts[digest].map { $0[index] } ?? 0
    }
    guard count > 0, entry.size > 0 else { return .nothing }
    let choice = SampleChoice(count: count, seed: sample.seed ^ digest.seed, takesEnds: false)
    return .chunks(choice.indices(of: entry.units, file: index))
  }
}

extension FileEntry {
  /// The parts that can be read by themselves: its chunks, or all of it.
  fileprivate var units: Int { chunks.map(\.chunks.count) ?? 1 }
}

extension SHA256Digest {
  /// Tells releases apart, so that each has its own choice by the same seed.
  fileprivate var seed: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
