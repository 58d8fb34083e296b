package import Manifests

extension Timestamp {
  /// The time that a manifest gives as that of the release: as stated, else `SOURCE_DATE_EPOCH`, else now.
  ///
  /// - Parameters:
  ///   - stated: What the publisher said.
  ///   - sourceDate: The value of the variable `SOURCE_DATE_EPOCH`, seconds since 1970 in digits; an empty one counts
  ///     as absent.
  ///   - now: The clock.
  /// - Throws: ``PublishingError/badSourceDate(_:)``.
  package init(
    ofRelease stated: Timestamp?,
    sourceDate: String?,
    now: Timestamp
  ) throws(PublishingError) {
    if let stated {
      self = stated
    } else if let sourceDate, !sourceDate.isEmpty {
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard sourceDate.utf8.allSatisfy(digits.contains), let seconds = Int64(sourceDate),
        let time = Timestamp(seconds: seconds)
      else { throw .badSourceDate(sourceDate) }
      self = time
    } else {
      self = now
    }
  }
}
