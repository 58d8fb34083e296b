/// A chunk whose bytes are arriving.
final class Assembly {
  let piece: Int
  let buffer: ChunkBuffer
  var contributions = Contributions()

  init(_ piece: Int, _ buffer: ChunkBuffer) {
    self.piece = piece
    self.buffer = buffer
  }
}
