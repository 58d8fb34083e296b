import Digests
import Manifests
import SystemFiles

/// Compares files of one chunk each with their entries, hashing them side by side.
///
/// Finds what ``FileCheck`` finds of them one by one, since the digest of the only chunk is that of the file.
struct SmallFilesCheck {
  /// The most files that are open at once.
  private static let mostFiles = 64
  /// The most bytes that are in memory at once.
  private static let mostBytes = 8 << 20

  private final class Opened {
    let file: OpenFile

    init(_ file: consuming OpenFile) { self.file = file }
  }

  private enum Step {
    case problem(FileProblem)
    case read(Opened)
  }

  /// The files, next to each other in the manifest.
  let entries: ArraySlice<FileEntry>

  /// The files at the start of `entries` that are short enough to be checked at once; one of them alone is none.
  init?(startOf entries: ArraySlice<FileEntry>) {
    var size = 0
    let run = entries.prefix(Self.mostFiles).prefix { entry in
      size += entry.size
      return entry.chunks?.chunks.count == 1 && size <= Self.mostBytes
    }
    guard run.count > 1 else { return nil }
    self.entries = run
  }

  /// What is wrong with each of the files, in their order.
  ///
  /// `report` is called with the size of each; false stops the work.
  func problems(
    in folder: borrowing Folder,
    depth: FileCheck.Depth,
    report: (Int) -> Bool
  ) throws(CancellationError) -> [FileProblem?] {
    var batch = ChunkBatch(lengths: entries.map(\.size))
    var steps: [Step] = []
    for entry in entries {
      steps.append(read(entry, in: folder, into: &batch))
      guard report(entry.size) else { throw CancellationError() }
    }
    var digests = batch.digests(hashing: .forThisMachine)[...]
    return zip(entries, steps).map { entry, step in
      switch step {
      case .problem(let problem): return problem
      case .read(let opened):
        guard let digest = digests.popFirst() else {
          preconditionFailure("each chunk has a digest")
        }
        return FileCheck(entry, depth: depth).problem(in: opened.file, whole: digest)
      }
    }
  }

  private func read(
    _ entry: FileEntry,
    in folder: borrowing Folder,
    into batch: inout ChunkBatch
  ) -> Step {
    let file: OpenFile
    do {
      file = try folder.openFile(entry.path.text)
    } catch {
      return .problem(ReleaseCheck.problem(for: error, at: entry.path, in: folder))
    }
    do throws(SystemError) {
      if let problem = try FileCheck(entry).outerProblem(of: file) { return .problem(problem) }
      let count = try batch.append(entry.size, of: file, at: 0)
      guard count == entry.size else {
        return .problem(.wrongSize(expected: entry.size, found: count))
      }
      return .read(Opened(file))
    } catch {
      return .problem(.unreadable(error))
    }
  }
}
