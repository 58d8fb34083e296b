import Digests

/// Hashes the pieces of a file as their bytes come, and keeps none but the first few.
final class PieceHasher: BodySink {
  private let pieces: [Range<Int>]
  private let now: () -> Duration
  private let note: (Int) -> Void
  private var hasher = SHA256()
  private var requestStart: Duration = .zero
  private(set) var digests: [SHA256Digest] = []
  private(set) var beginning: [UInt8] = []
  private(set) var received = 0
  private(set) var timeToAnswer: Duration?
  /// The place of the next byte.
  private(set) var position: Int
  /// The bytes of the file that the last accepted answer was to bring.
  private(set) var answer: Range<Int>?
  private var hasAnswered = false

  init(_ pieces: [Range<Int>], now: @escaping () -> Duration, note: @escaping (Int) -> Void) {
    self.pieces = pieces
    self.now = now
    self.note = note
    position = pieces.first?.lowerBound ?? 0
  }

  /// Whether there is nothing more to ask for.
  var isDone: Bool { digests.count == pieces.count && hasAnswered }

  func requestBegins() {
    requestStart = now()
    answer = nil
  }

  func begin(_ range: Range<Int>) {
    answer = range
    hasAnswered = true
    timeToAnswer = max(timeToAnswer ?? .zero, now() - requestStart)
  }

  func take(_ bytes: Span<UInt8>) -> Bool {
    received += bytes.count
    note(bytes.count)
    keepBeginning(of: bytes)
    var offset = 0
    while offset < bytes.count {
      // A mirror that sends the whole file is stopped after the last piece.
      guard digests.count < pieces.count else { return false }
      let end = pieces[digests.count].upperBound
      let count = min(bytes.count - offset, end - position)
      hasher.update(bytes.extracting(offset..<offset + count))
      offset += count
      position += count
      if position == end { digests.append(hasher.finalizeAndReset()) }
    }
    return true
  }

  private func keepBeginning(of bytes: Span<UInt8>) {
    let room = MirrorReading.beginningLimit - beginning.count
    for index in 0..<min(max(0, room), bytes.count) { beginning.append(bytes[index]) }
  }
}
