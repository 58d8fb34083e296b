/// The bytes of an answer, made block by block.
enum Body: Sendable {
  case bytes([UInt8])
  case file(AlteredFile, Range<Int>)
  /// The whole file in gzip's format (RFC 1952), in stored blocks (RFC 1951 §3.2.4).
  case gzip(AlteredFile)
  /// The file over and over.
  case endless(AlteredFile)

  /// The length in bytes; nil if there is no end.
  var count: Int? {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(_, let range): range.count
    case .gzip(let file): StoredGzip.size(of: file.size)
    case .endless: nil
    }
  }

  /// Hands out the blocks of the body one after the other.
  struct Blocks: IteratorProtocol {
    private let body: Body
    private let limit: Int
    private var position = 0
    private var gzip: StoredGzip?

    /// Blocks of at most `limit` bytes; gzip's blocks are as long as it makes them.
    init(_ body: Body, limit: Int) {
      self.body = body
      self.limit = limit
      if case .gzip(let file) = body { gzip = StoredGzip(file) }
    }

    mutating func next() -> [UInt8]? {
      switch body {
      case .bytes(let bytes):
        guard position < bytes.count else { return nil }
        defer { position += limit }
        return Array(bytes[position..<min(bytes.count, position + limit)])
      case .file(let file, let range):
        let start = range.lowerBound + position
        guard start < range.upperBound else { return nil }
        defer { position += limit }
        return file.bytes(in: start..<min(range.upperBound, start + limit))
      case .gzip:
        return gzip?.next()
      case .endless(let file):
        guard file.size > 0 else { return [UInt8](repeating: 0, count: limit) }
        let start = position % file.size
        let end = min(file.size, start + limit)
        position = end
        return file.bytes(in: start..<end)
      }
    }
  }
}
