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

  /// Writes the chunk if `digest` is the signed one, and says what it came to.
  func settle(_ digest: SHA256Digest, report: (WorkResult) -> Void) {
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
      try buffer.withBytes { bytes throws(SystemError) in
        try part.write(bytes, of: chunk)
      }
      report(.verified(file: file, piece: piece, contributions))
    } catch {
      report(.failed(file: file, error))
    }
  }
}
