import Digests
import StrictJSON

/// A small JSON document that shows by itself whether it is whole: one line, then the line's SHA-256.
///
/// After a power cut a file may be empty, cut short or full of zeros; the second line catches that.
struct SealedDocument: Equatable {
  let object: JSONObject

  init(_ object: JSONObject) { self.object = object }

  /// Reads the two lines; nil if they do not match each other.
  init?(bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count == 3, lines[2].isEmpty,
      lines[1].elementsEqual(Self.seal(of: Array(lines[0]))),
      let value = try? JSONReader.parse(
        Array(lines[0]),
        limits: JSONLimits(bytes: StoreLayout.stampLimit)
      ),
      case .object(let object) = value
    else { return nil }
    self.object = object
  }

  var bytes: [UInt8] {
    let line = JSONWriter.compact(.object(object))
    return line + "\n".utf8 + Self.seal(of: line) + "\n".utf8
  }

  private static func seal(of line: [UInt8]) -> [UInt8] {
    Array("sha256:\(SHA256Digest(of: line).hex)".utf8)
  }
}
