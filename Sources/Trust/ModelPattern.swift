package import Manifests

/// A pattern over model names: the characters of a name, and `*` for any run of characters but `/`.
///
/// `lfm2-*` matches `lfm2-2.6b`, and `acme/*` matches `acme/tiny-chat`; neither matches a name with
/// another number of segments.
package struct ModelPattern: Hashable, Sendable {
  /// The most characters of a pattern: two full segments of a name, with a star each.
  private static let maximumLength = 131

  package let text: String

  /// Reads a pattern of one or two segments that matches the name of some model; throws `badPattern` for anything else.
  ///
  /// Two stars in a row are refused: they would say no more than one, and look as if they crossed a `/`.
  package init(_ text: String) throws(TrustError) {
    let segments = Self.segments(of: text)
    guard (1...2).contains(segments.count), text.utf8.count <= Self.maximumLength,
      segments.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.admits) && !Self.hasDoubleStar($0) })
    else { throw .badPattern(text) }
    let name = segments.map { String(decoding: Self.shortName(matching: $0), as: UTF8.self) }
    do { _ = try ModelName(name.joined(separator: "/")) } catch { throw .badPattern(text) }
    self.text = text
  }

  /// Whether the whole name matches, in time linear in the name for each star.
  package func matches(_ model: ModelName) -> Bool {
    let (patterns, names) = (Self.segments(of: text), Self.segments(of: model.text))
    return patterns.count == names.count
      && zip(patterns, names).allSatisfy { Self.segment($1, matches: $0) }
  }

  static let star = UInt8(ascii: "*")

  private static func hasDoubleStar(_ segment: ArraySlice<UInt8>) -> Bool {
    zip(segment, segment.dropFirst()).contains { $0 == star && $1 == star }
  }

  /// A name of a segment that matches and is as short as any that follows the rules of names, if there is one at all.
  ///
  /// A star stands for nothing, or for one digit where the name would else begin or end with a dot or a dash, have two
  /// dots in a row, or end with `.json`.
  private static func shortName(matching segment: ArraySlice<UInt8>) -> [UInt8] {
    let dot = UInt8(ascii: ".")
    var name: [UInt8] = []
    var lastStar: Int?
    for index in segment.indices {
      guard segment[index] == star else {
        name.append(segment[index])
        continue
      }
      let (before, after) = (name.last, segment[(index + 1)...].first)
      let isNeeded =
        switch (before, after) {
        case (let before?, let after?): before == dot && after == dot
        case (let neighbour?, nil), (nil, let neighbour?): !isAlphanumeric(neighbour)
        case (nil, nil): true
        }
      lastStar = name.count
      if isNeeded { name.append(filling) }
    }
    if let lastStar, name.suffix(5).elementsEqual(".json".utf8), lastStar > name.count - 5 {
      name.insert(filling, at: lastStar)
    }
    return name
  }

  private static let filling = UInt8(ascii: "0")

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func segments(of text: String) -> [ArraySlice<UInt8>] {
    Array(text.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  private static func admits(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == star || "._-".utf8.contains(byte)
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
