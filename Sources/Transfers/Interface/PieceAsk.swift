package import Digests

/// Pieces of a file to read back from a mirror, and what its answers are judged by.
package struct PieceAsk: Hashable, Sendable {
  /// The name of the file, which says whether a page may be what is wanted.
  package let label: String
  /// The size that the file must have.
  package let size: Int
  /// The SHA-256 that no answer may contradict; nil if that of the file there is not known.
  package let digest: SHA256Digest?
  /// Ranges of bytes that follow each other without gaps; none for an empty file.
  package let pieces: [Range<Int>]
  /// The most bytes of one request.
  package let requestLimit: Int

  /// Takes pieces that lie in the file, one right after the other.
  package init(
    _ pieces: [Range<Int>],
    label: String,
    size: Int,
    digest: SHA256Digest?,
    requestLimit: Int = .max
  ) {
    let isRow = zip(pieces, pieces.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }
    precondition(isRow && pieces.allSatisfy { !$0.isEmpty && $0.upperBound <= size })
    precondition(requestLimit > 0)
    self.pieces = pieces
    self.label = label
    self.size = size
    self.digest = digest
    self.requestLimit = requestLimit
  }

  /// Where the last piece ends.
  package var end: Int { pieces.last?.upperBound ?? 0 }

  /// The next request, once all before `start` is there.
  func request(from start: Int) -> ResponseAsk {
    ResponseAsk(
      start..<start + min(end - start, requestLimit),
      size: size,
      digest: digest,
      label: label
    )
  }
}
