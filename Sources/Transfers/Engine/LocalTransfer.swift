import SystemFiles

/// Reads a file of a `file` mirror, block by block, as if it were a response.
final class LocalTransfer {
  static let blockSize = 256 * 1024

  private let file: OpenFile
  private let sink: any BodySink
  /// The bytes of the file that it brings.
  let range: Range<Int>
  private var offset: Int
  private var block: [UInt8] = []

  /// Opens the file at `path` and begins with the bytes of `ask`.
  init(_ ask: ResponseAsk, path: String, into sink: any BodySink) throws(MirrorFault) {
    do {
      file = try OpenFile(readingPlainFile: path)
    } catch {
      throw error.code == SystemError.invalidArgument ? .notAFile : .unreadable(error)
    }
    let found: Int
    do {
      found = try file.status().size
    } catch {
      throw .unreadable(error)
    }
    if let size = ask.size {
      guard found == size else { throw .otherSize(announced: found, expected: size) }
      range = ask.range
    } else {
      guard found <= ask.range.upperBound else { throw .tooLong(limit: ask.range.upperBound) }
      range = 0..<found
    }
    offset = range.lowerBound
    self.sink = sink
    sink.begin(range)
  }

  /// The bytes that came.
  var received: Int { offset - range.lowerBound }

  /// Brings one more block of at most `limit` bytes, at least 1; returns what the transfer ended in, if it did.
  func pump(_ limit: Int) -> ExchangeEnd? {
    guard offset < range.upperBound else { return .complete(range) }
    let wanted = min(Self.blockSize, range.upperBound - offset, max(1, limit))
    do throws(SystemError) {
      let count = try read(wanted)
      if count == 0 {
        return .fault(.closedEarly(received: received, expected: range.count))
      }
      offset += count
      guard sink.take(block.span.extracting(first: count)) else { return .stopped }
    } catch {
      return .fault(.unreadable(error))
    }
    return offset == range.upperBound ? .complete(range) : nil
  }

  private func read(_ count: Int) throws(SystemError) -> Int {
    var block = block.isEmpty ? [UInt8](repeating: 0, count: Self.blockSize) : self.block
    self.block = []
    defer { self.block = block }
    var buffer = block.mutableSpan
    return try file.read(count, into: &buffer, at: offset)
  }
}
