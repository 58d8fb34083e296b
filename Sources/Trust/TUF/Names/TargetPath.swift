import Digests
import Manifests

/// The path of a target as its repository writes it: any text but the empty one, since the specification asks nothing of it.
///
/// Paths are compared as bytes, case-sensitive on every system.
package struct TargetPath: Hashable, Sendable {
  /// The most bytes of a path that we publish.
  private static let longestPublished = 200

  private let path: ExactText

  package var text: String { path.text }

  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    path = ExactText(text)
  }

  /// The SHA-256 of the path, by which hash prefixes and bins divide targets.
  var digest: SHA256Digest { SHA256Digest(of: Array(text.utf8)) }

  /// The name of the target's file in a flat folder: never a path nor hidden, different for different targets.
  package var fileName: String {
    let name = EncodedName.fileName(text)
    return name.utf8.first == UInt8(ascii: ".") ? "%2E" + name.dropFirst() : name
  }

  /// The path in a URL below the base of targets, each segment encoded.
  ///
  /// Nil if a segment is `.` or `..`: programs along the way would take it for a way out of the base. In consistent
  /// snapshots `prefix` is the digest that stands in front of the last segment (6.2.2).
  package func requestPath(prefix: String?) -> String? {
    var segments = text.utf8
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard !segments.contains(where: { $0 == "." || $0 == ".." }) else { return nil }
    segments = segments.map(EncodedName.percentEncoded)
    if let prefix { segments[segments.count - 1] = "\(prefix).\(segments[segments.count - 1])" }
    return segments.joined(separator: "/")
  }

  /// Whether we publish a target under this path: one that needs no encoding, on which clients differ.
  ///
  /// Segments are of letters, digits and `._+-` and begin with a letter or digit; 200 bytes in all.
  package static func isPublishable(_ text: String) -> Bool {
    guard text.utf8.count <= longestPublished else { return false }
    return text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { segment in
        guard let first = segment.first, isAlphanumeric(first) else { return false }
        return segment.allSatisfy { isAlphanumeric($0) || "._+-".utf8.contains($0) }
      }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

extension TargetPath: CustomStringConvertible {
  /// The path, fit for a terminal.
  package var description: String { escaped(text) }
}

extension TargetPath: Comparable {
  package static func < (one: TargetPath, other: TargetPath) -> Bool { one.path < other.path }
}
