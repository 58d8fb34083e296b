import SystemFiles

/// Reads a file of a `file` mirror as if it were a response.
enum LocalSource {
  private static let blockSize = 256 * 1024

  /// Gives the bytes of `ask` in the file at `path` to `sink`.
  static func perform(
    _ ask: ResponseAsk,
    path: String,
    into sink: any BodySink,
    stop: StopSignal
  ) -> ExchangeEnd {
    do {
      let file = try opened(path)
      let range = try range(of: file, for: ask)
      sink.begin(range)
      return try copy(range, of: file, to: sink, stop: stop)
    } catch {
      return .fault(error)
    }
  }

  private static func opened(_ path: String) throws(MirrorFault) -> OpenFile {
    do {
      return try OpenFile(readingPlainFile: path)
    } catch {
      throw .unreadable(error)
    }
  }

  private static func range(
    of file: borrowing OpenFile,
    for ask: ResponseAsk
  ) throws(MirrorFault) -> Range<Int> {
    let found: Int
    do {
      found = try file.status().size
    } catch {
      throw .unreadable(error)
    }
    guard let size = ask.size else {
      guard found <= ask.range.upperBound else { throw .tooLong(limit: ask.range.upperBound) }
      return 0..<found
    }
    guard found == size else { throw .otherSize(announced: found, expected: size) }
    return ask.range
  }

  private static func copy(
    _ range: Range<Int>,
    of file: borrowing OpenFile,
    to sink: any BodySink,
    stop: StopSignal
  ) throws(MirrorFault) -> ExchangeEnd {
    var offset = range.lowerBound
    while offset < range.upperBound {
      if stop.isStopped { return .cancelled }
      let block: [UInt8]
      do {
        block = try file.readBlock(count: min(blockSize, range.upperBound - offset), at: offset)
      } catch {
        throw .unreadable(error)
      }
      if block.isEmpty {
        throw .closedEarly(received: offset - range.lowerBound, expected: range.count)
      }
      guard sink.take(block.span) else { return .stopped }
      offset += block.count
    }
    return .complete(range)
  }
}
