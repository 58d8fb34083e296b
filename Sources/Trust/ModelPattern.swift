package import Manifests

/// A pattern over model names: the characters of a name, and `*` for any run of characters but `/`.
///
/// `lfm2-*` matches `lfm2-2.6b`, and `acme/*` matches `acme/tiny-chat`; neither matches a name with
/// another number of segments.
package struct ModelPattern: Hashable, Sendable {
  /// The most characters of a pattern: two full segments of a name, with a star each.
  private static let maximumLength = 131

  package let text: String

  /// Reads a pattern of one or two segments; throws `badPattern` for anything else.
  package init(_ text: String) throws(TrustError) {
    let segments = Self.segments(of: text)
    guard (1...2).contains(segments.count), text.utf8.count <= Self.maximumLength,
      segments.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.admits) })
    else { throw .badPattern(text) }
    self.text = text
  }

  /// Whether the whole name matches, in time linear in the name for each star.
  package func matches(_ model: ModelName) -> Bool {
    let (patterns, names) = (Self.segments(of: text), Self.segments(of: model.text))
    return patterns.count == names.count
      && zip(patterns, names).allSatisfy { Self.segment($1, matches: $0) }
  }

  private static let star = UInt8(ascii: "*")

  private static func segments(of text: String) -> [ArraySlice<UInt8>] {
    Array(text.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  private static func admits(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), star:
      true
    default: false
    }
  }

  /// Matches one segment.
  ///
  /// After a mismatch the last star takes one more byte.
  private static func segment(
    _ name: ArraySlice<UInt8>,
    matches pattern: ArraySlice<UInt8>
  ) -> Bool {
    var (place, offset) = (pattern.startIndex, name.startIndex)
    var lastStar: (place: Int, offset: Int)?
    while offset < name.endIndex {
      if place < pattern.endIndex, pattern[place] == star {
        lastStar = (place, offset)
        place += 1
      } else if place < pattern.endIndex, pattern[place] == name[offset] {
        (place, offset) = (place + 1, offset + 1)
      } else if let last = lastStar {
        lastStar = (last.place, last.offset + 1)
        (place, offset) = (last.place + 1, last.offset + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == star }
  }
}

extension ModelPattern: Comparable {
  /// Orders patterns from the least to the most specific.
  ///
  /// More characters before the first star are more specific, then more characters that are no star, then
  /// fewer stars, then the text whose bytes sort later, so that one of two patterns is always the one.
  package static func < (one: ModelPattern, other: ModelPattern) -> Bool {
    if one.specificity != other.specificity { return one.specificity < other.specificity }
    return one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  private var specificity: (prefix: Int, literals: Int, stars: Int) {
    let stars = text.utf8.count { $0 == Self.star }
    let prefix = text.utf8.prefix { $0 != Self.star }.count
    return (prefix, text.utf8.count - stars, -stars)
  }
}
