/// What a user calls a model: `lfm2-2.6b` or `acme/tiny-chat`.
///
/// One or two segments `[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?` without `..`; no segment ends with
/// `.json`, because the command line reads such an argument as a manifest file.
package struct ModelName: Hashable, Sendable {
  package let text: String

  /// Reads a name; throws the rule that `text` breaks.
  package init(_ text: String) throws(ManifestError) {
    let segments = Array(text.utf8).split(
      separator: UInt8(ascii: "/"),
      omittingEmptySubsequences: false
    )
    guard segments.count <= 2 else { throw .text(.model, text, .tooManySegments) }
    var offset = 0
    for segment in segments {
      if let fault = Self.fault(of: segment, at: offset) { throw .text(.model, text, fault) }
      offset += segment.count + 1
    }
    self.text = text
  }

  /// The name as one component of a path: the `/` is written `+`.
  package var folderName: String {
    string(text.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "+") : $0 })
  }

  private static func fault(of segment: ArraySlice<UInt8>, at offset: Int) -> TextFault? {
    guard let first = segment.first, let last = segment.last else { return .emptyPart }
    guard segment.count <= 64 else { return .tooLong(limit: 64) }
    for (index, byte) in segment.enumerated() where !isAllowed(byte) {
      return .badByte(byte, offset: offset + index)
    }
    if !isAlphanumeric(first) { return .startsWith(first) }
    if !isAlphanumeric(last) { return .endsWith(last) }
    if zip(segment, segment.dropFirst()).contains(where: { $0 == dot && $1 == dot }) {
      return .doubleDot
    }
    if segment.suffix(5).elementsEqual(".json".utf8) { return .endsWithJSON }
    return nil
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool { byte.isLowercase || byte.isDigit }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "._-".utf8.contains(byte)
  }
}

private let dot = UInt8(ascii: ".")

extension ModelName: Comparable, CustomStringConvertible {
  package static func < (left: ModelName, right: ModelName) -> Bool {
    precedes(left.text.utf8, right.text.utf8)
  }

  package var description: String { text }
}
