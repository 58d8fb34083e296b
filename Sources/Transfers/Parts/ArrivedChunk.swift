import Digests
import SystemFiles

/// A chunk that is whole in memory, to be hashed and, if it is right, written.
struct ArrivedChunk: Sendable {
  let file: Int
  let piece: Int
  let chunk: Chunk
  let part: PartFile
  /// What brought its last bytes.
  let transfer: Int
  let buffer: ChunkBuffer
  let contributions: Contributions
  /// What tells the transfer that the bytes are wrong.
  let verdict: Verdict
  /// What reads the chunk back once it is written.
  let readBehind: ReadBehind

  /// The tag of the bytes, if they are to be read back.
  func tag(_ maker: TagMaker?) -> KeyedTag? {
    guard let maker, part.goesPastCache(chunk) else { return nil }
    buffer.withBytes { maker.update($0) }
    return maker.finalizeAndReset()
  }

  /// Writes the chunk if `digest` is the signed one, and says what it came to.
  ///
  /// A chunk with a `tag` is read back then.
  func settle(_ digest: SHA256Digest, _ tag: KeyedTag?, report: (WorkResult) -> Void) {
    guard digest == chunk.digest else {
      report(
        .rejected(
          file: file,
          piece: piece,
          transfer: transfer,
          digest: digest,
          contributions
        )
      )
      // Last, so that the transfer does not end before it is known why.
      return verdict.setWrong()
    }
    do throws(SystemError) {
      // Claimed first: a kill between the two costs a look at the disk, not a chunk.
      try part.claim(piece)
      let write = part.readings.willWrite(piece)
      let isPastCache = try buffer.withBytes { bytes throws(SystemError) in
        try part.write(bytes, of: chunk)
      }
      part.readings.didWrite(piece)
      if let tag, isPastCache {
        readBehind.add(
          ReadBehind.Job(part: part, piece: piece, chunk: chunk, write: write, tag: tag)
        )
      }
      report(.verified(file: file, piece: piece, contributions))
    } catch {
      report(.failed(file: file, error))
    }
  }
}
