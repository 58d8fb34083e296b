import Digests

/// A file of a run while it is open.
final class FileRecord {
  let part: PartFile
  let table: ChunkTable?
  let stream: StreamWriter?
  /// Unfinished chunks that no transfer is filling.
  var parked: [Int: Assembly] = [:]
  /// The chunks that are right and on disk, whatever the scheduler was told yet.
  var held: Set<Int> = []
  /// The sources that were asked.
  var chosen: Set<Int> = []
  /// The chunks that are still to be looked for on this machine, and where, the first place last.
  var localChunks: [Int: [LocalChunk]] = [:]
  /// The chunks that are being hashed, their bytes, and those that are done.
  var (checking, checkingBytes, checkedBytes) = (0, 0, 0)
  /// The bytes of earlier runs, and of other files, that were right.
  var (resumed, reused) = (0, 0)
  /// The bytes at hand of a file that is verified only as a whole, and the most there were.
  var (pending, highWater) = (0, 0)

  init(_ opened: OpenedPart, _ table: ChunkTable?) {
    part = opened.part
    self.table = table
    stream = opened.stream
  }
}
