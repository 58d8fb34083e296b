/// Judges a response by its head: the one place that decides whether a body byte may be taken.
///
/// The checks come in the order of their weight, and the first that fails gives the verdict. They help to fail
/// early and to name the fault; that bytes are right is shown by their digest alone.
package struct ResponseCheck {
  private let head: ResponseHead
  private let ask: ResponseAsk
  private let wallClock: Int

  /// Judges `head`, the answer to `ask`; `wallClock` is now in seconds since 1970, for Retry-After.
  package static func judge(
    _ head: ResponseHead,
    for ask: ResponseAsk,
    wallClock: Int
  ) -> ResponseVerdict {
    ResponseCheck(head: head, ask: ask, wallClock: wallClock).verdict
  }

  private var verdict: ResponseVerdict {
    do throws(MirrorFault) {
      if let defect = head.defect { throw MirrorFault.malformedHead(defect) }
      if let location = try redirect() { return .redirect(location) }
      try checkStatus()
      try checkCoding()
      try checkType()
      guard let size = ask.size else { return try documentVerdict() }
      let range = try head.status == 206 ? partialRange(size: size) : wholeRange(size: size)
      try checkLength(expected: range.count)
      try checkDigest()
      return .take(range)
    } catch {
      return .refuse(error)
    }
  }

  private func redirect() throws(MirrorFault) -> [UInt8]? {
    guard [301, 302, 303, 307, 308].contains(head.status) else { return nil }
    let locations = Set(head.values(of: "location"))
    guard locations.count == 1, let location = locations.first, !location.isEmpty else {
      throw .malformedHead("\(head.status) without one Location")
    }
    return location
  }

  private func checkStatus() throws(MirrorFault) {
    switch head.status {
    case 200: return
    case 206: return
    case 401, 403, 407: throw .denied(status: head.status)
    case 404, 410: throw .missing(status: head.status)
    case 416: throw refusedRange()
    case 429, 503:
      let pause = RetryAfter.pause(in: head, wallClock: wallClock)
      throw .throttled(status: head.status, retryAfter: pause)
    default: throw .status(head.status)
    }
  }

  private func refusedRange() -> MirrorFault {
    if let size = ask.size, let value = head.values(of: "content-range").first,
      case .unsatisfied(let total)? = ContentRange(value), total != size
    {
      return .otherSize(announced: total, expected: size)
    }
    return ask.isRanged ? .noRanges(status: 416) : .status(416)
  }

  private func checkCoding() throws(MirrorFault) {
    for value in head.values(of: "content-encoding") where lowered(value) != Array("identity".utf8)
    {
      throw .contentCoding(printable(value))
    }
  }

  private func checkType() throws(MirrorFault) {
    for value in head.values(of: "content-type") {
      let type = trimmed(lowered(value).prefix { $0 != UInt8(ascii: ";") })
      if type.elementsEqual("multipart/byteranges".utf8) { throw .severalParts }
      let isPage = ["text/html", "application/xhtml+xml"].contains { type.elementsEqual($0.utf8) }
      if isPage, !ask.mayBeHTML { throw .html(firstBytes: "") }
    }
  }

  /// The range of a 206: it must start where we asked, end no later, and belong to a file of our size.
  private func partialRange(size: Int) throws(MirrorFault) -> Range<Int> {
    let values = head.values(of: "content-range")
    guard let value = values.first else { throw .noContentRange }
    guard values.count == 1, case .bytes(let range, let total)? = ContentRange(value) else {
      throw .malformedHead("Content-Range \"\(printable(value))\"")
    }
    if let total, total != size { throw .otherSize(announced: total, expected: size) }
    guard range.lowerBound == ask.range.lowerBound, range.upperBound <= ask.range.upperBound else {
      throw .otherRange(asked: ask.range, answered: printable(value))
    }
    return range
  }

  /// The range of a 200: the whole file, unless a Content-Range says that it is just what we asked.
  private func wholeRange(size: Int) throws(MirrorFault) -> Range<Int> {
    let values = head.values(of: "content-range")
    if ask.isRanged, values.count == 1,
      case .bytes(let range, let total)? = ContentRange(values[0]),
      range == ask.range, total == nil || total == size
    {
      return range
    }
    guard ask.range.lowerBound == 0 else { throw .noRanges(status: 200) }
    return 0..<size
  }

  private func checkLength(expected: Int) throws(MirrorFault) {
    guard let length = try contentLength(), length != expected else { return }
    throw head.status == 200 && expected == ask.size
      ? .otherSize(announced: length, expected: expected)
      : .otherLength(announced: length, expected: expected)
  }

  private func contentLength() throws(MirrorFault) -> Int? {
    let values = Set(head.values(of: "content-length"))
    guard let value = values.first else { return nil }
    guard values.count == 1, let length = fieldNumber(value) else {
      throw .malformedHead("Content-Length \"\(printable(value))\"")
    }
    return length
  }

  private func checkDigest() throws(MirrorFault) {
    guard let expected = ask.digest else { return }
    for value in head.values(of: "repr-digest") {
      guard let announced = announcedDigest(in: value), announced != expected else { continue }
      throw .otherDigest(announced: announced)
    }
  }

  private func documentVerdict() throws(MirrorFault) -> ResponseVerdict {
    guard head.status == 200 else { throw .status(head.status) }
    guard let length = try contentLength() else { return .takeUpTo(ask.range.upperBound) }
    guard length <= ask.range.upperBound else { throw .tooLong(limit: ask.range.upperBound) }
    return .take(0..<length)
  }
}
