import Digests
import SystemFiles

/// Writes a file without chunk table as it arrives, from start to end, and verifies it as a whole.
final class StreamIntake: Intake {
  /// The bytes between two claims in the journal, and between two events.
  private static let claimSpacing = 1 << 20

  private let request: FetchRequest
  private let part: PartFile
  private let report: (IntakeEvent) -> Void

  private var hasher = SHA256()
  private var contributions = Contributions()
  /// Hashed, not yet written.
  private var buffer: [UInt8] = []
  private var written = 0
  private var claimed = 0
  private var source = 0
  private(set) var localFailure: SystemError?

  init(_ request: FetchRequest, part: PartFile, report: @escaping (IntakeEvent) -> Void) {
    self.request = request
    self.part = part
    self.report = report
    buffer.reserveCapacity(PartFile.pieceSize)
  }

  private var filled: Int { written + buffer.count }

  var partial: FileSchedule.Partial? {
    guard filled > 0 else { return nil }
    return FileSchedule.Partial(piece: 0, filled: filled, source: contributions.onlySource)
  }

  /// Hashes what an earlier run left, as much as may be there; `isStopped` is asked between blocks.
  ///
  /// A whole file is verified at once.
  func resume(isStopped: (_ hashed: Int) -> Bool) throws(SystemError) {
    let count = try part.heldPrefix(size: request.size)
    while written < count {
      if isStopped(written) { return }
      let wanted = min(1 << 20, count - written)
      let block = try part.file.readBlock(count: wanted, at: written)
      if block.isEmpty { break }
      hasher.update(block.span)
      contributions.add(block.count, from: nil)
      written += block.count
    }
    claimed = written
    if written == request.size { _ = verify() }
  }

  func begin(_ range: Range<Int>, from source: Int) {
    self.source = source
    if range.lowerBound != filled { startAgain() }
  }

  func take(_ bytes: Span<UInt8>) -> Bool {
    let count = min(bytes.count, request.size - filled)
    hasher.update(bytes.extracting(first: count))
    contributions.add(count, from: source)
    do throws(SystemError) {
      var start = 0
      while start < count {
        let end = start + min(count - start, PartFile.pieceSize - buffer.count)
        unsafe bytes.extracting(start..<end).withUnsafeBufferPointer {
          unsafe buffer.append(contentsOf: $0)
        }
        start = end
        if buffer.count == PartFile.pieceSize { try flush() }
      }
      guard filled == request.size else { return true }
      try flush()
    } catch {
      localFailure = error
      return false
    }
    return verify()
  }

  func close() {
    do throws(SystemError) {
      try flush()
      if written > claimed { try claim() }
    } catch {
      localFailure = localFailure ?? error
    }
  }

  private func flush() throws(SystemError) {
    guard !buffer.isEmpty else { return }
    try store(buffer)
    buffer.removeAll(keepingCapacity: true)
    if written - claimed >= Self.claimSpacing {
      part.file.startWriteback(at: claimed, count: written - claimed)
      try claim()
    }
  }

  private func store(_ bytes: [UInt8]) throws(SystemError) {
    try part.write(bytes.span, at: written)
    written += bytes.count
  }

  /// Claims after writing: a claim that is too high would only show when the whole file is wrong.
  private func claim() throws(SystemError) {
    try part.claim(written)
    claimed = written
    report(.pending(written))
  }

  private func verify() -> Bool {
    let digest = hasher.finalizeAndReset()
    let contributions = self.contributions.take()
    if digest == request.digest {
      report(.verified(piece: 0, contributions))
      return true
    }
    report(.rejected(piece: 0, digest: digest, contributions))
    startAgain()
    return false
  }

  private func startAgain() {
    let wasted = contributions.take()
    if !wasted.bytes.isEmpty { report(.wasted(wasted)) }
    _ = hasher.finalizeAndReset()
    buffer.removeAll(keepingCapacity: true)
    (written, claimed) = (0, 0)
    report(.pending(0))
    do throws(SystemError) { try part.claim(0) } catch { localFailure = localFailure ?? error }
  }
}
