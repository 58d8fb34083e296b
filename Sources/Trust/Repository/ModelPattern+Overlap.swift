extension ModelPattern {
  /// Whether there may be a model that both patterns match.
  ///
  /// Texts that both match and that are no names count too, so two patterns may overlap that share no model; never the
  /// other way round. Takes time linear in the product of their lengths.
  package func overlaps(_ other: ModelPattern) -> Bool {
    let (own, others) = (Self.segments(of: text), Self.segments(of: other.text))
    return own.count == others.count
      && zip(own, others).allSatisfy { Self.overlap(Array($0), Array($1)) }
  }

  /// Whether some text matches both segments.
  ///
  /// `reach[j]` says, for the bytes of `one` that were looked at, whether a text can match these and `j` bytes of `two`.
  private static func overlap(_ one: [UInt8], _ two: [UInt8]) -> Bool {
    var reach = [true] + [Bool](repeating: false, count: two.count)
    spread(&reach, over: two, isStar: false)
    for byte in one {
      var next = [Bool](repeating: false, count: two.count + 1)
      for (index, isReached) in reach.enumerated() where isReached {
        // A star may stand for nothing; a byte may be what the star of the other stands for.
        if byte == star || index < two.count && two[index] == star { next[index] = true }
        if index < two.count, two[index] == byte { next[index + 1] = true }
      }
      spread(&next, over: two, isStar: byte == star)
      reach = next
    }
    return reach[two.count]
  }

  /// Goes on past stars of `two`, which may stand for nothing, and past anything if the byte of the other is a star.
  private static func spread(_ reach: inout [Bool], over two: [UInt8], isStar: Bool) {
    for (index, byte) in two.enumerated() where reach[index] && (isStar || byte == star) {
      reach[index + 1] = true
    }
  }
}
