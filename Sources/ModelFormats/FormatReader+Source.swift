/// What reading a file came to, besides failures of its source.
enum ReadResult<Value> {
  case value(Value)
  case fault(FormatFault)
}

extension FormatReader {
  /// Runs `body` with a reader of `source`.
  ///
  /// - Returns: What `body` returns, or the fault with which it stopped.
  /// - Throws: Only what `source` throws.
  static func read<Source: ByteSource, Value>(
    _ source: Source,
    _ body: (inout FormatReader) throws(FormatStop) -> Value
  ) throws(Source.Failure) -> ReadResult<Value> {
    let last = LastError<Source.Failure>()
    var reader = FormatReader(of: source, keepingErrorsIn: last)
    do throws(FormatStop) {
      return .value(try body(&reader))
    } catch {
      switch error {
      case .fault(let fault): return .fault(fault)
      case .unreadable:
        guard let error = last.error else { preconditionFailure("only the source fails to read") }
        throw error
      }
    }
  }

  /// Reads `source`, whose last error is kept beside the reader.
  init<Source: ByteSource>(of source: Source, keepingErrorsIn last: LastError<Source.Failure>) {
    self.init(size: source.size) { offset, count in
      do throws(Source.Failure) {
        return try source.read(at: offset, count: count)
      } catch {
        last.error = error
        return nil
      }
    }
  }
}

/// Keeps the error of a source while a parser unwinds, so that parsers need not know its type.
final class LastError<Failure: Error> {
  var error: Failure?
}
