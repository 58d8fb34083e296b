package import Digests

/// What a request asked for, as far as its answer is judged by it.
package struct ResponseAsk: Hashable, Sendable {
  /// The bytes wanted; for a document, as many as are taken.
  package let range: Range<Int>
  /// Whether the request has a Range field.
  package let isRanged: Bool
  /// The signed size; nil for a document, whose size nobody knows.
  package let size: Int?
  /// The signed SHA-256; nil for a document.
  package let digest: SHA256Digest?
  /// Whether a page is what the request wants.
  package let mayBeHTML: Bool

  /// Asks for `range` of `request`; without a Range field if `range` is the whole file.
  package init(_ range: Range<Int>, of request: FetchRequest) {
    self.init(range, size: request.size, digest: request.digest, label: request.label)
  }

  /// Asks for `range` of a file of this size and name; without a Range field if that is the whole file.
  init(_ range: Range<Int>, size: Int, digest: SHA256Digest?, label: String) {
    self.range = range
    isRanged = range != 0..<size
    self.size = size
    self.digest = digest
    mayBeHTML = Self.mayBeHTML(label)
  }

  /// Asks for a document of at most `limit` bytes, which may be a page if its name says so.
  package init(documentLimit limit: Int, label: String = "") {
    range = 0..<limit
    isRanged = false
    size = nil
    digest = nil
    mayBeHTML = Self.mayBeHTML(label)
  }

  private static func mayBeHTML(_ label: String) -> Bool {
    let label = lowered(label.utf8)
    return label.hasSuffix(".html") || label.hasSuffix(".htm")
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ suffix: String) -> Bool {
    self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}
