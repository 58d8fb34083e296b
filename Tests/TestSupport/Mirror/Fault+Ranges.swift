extension Fault {
  /// The answer of faults that show in requests for a part; nil for others.
  func answerToRange(_ request: RequestHead, _ file: AlteredFile) -> Answer? {
    let ignoresIfRange =
      switch self {
      case .ignoresIfRange, .swapAfter(_, honoursIfRange: false): true
      default: false
      }
    let selection = Answer.selection(request, file, honoursIfRange: !ignoresIfRange)
    guard case .part(let range) = selection else { return nil }
    if ignoresIfRange { return .part(file, range) }
    return wrongPart(file, range) ?? oddPart(file, range)
  }

  /// Parts with the wrong bytes or the wrong place.
  private func wrongPart(_ file: AlteredFile, _ range: Range<Int>) -> Answer? {
    switch self {
    case .wrongContentRange:
      return .part(file, 0..<range.count)
    case .shift:
      var shifted = file
      shifted.alteration = .shifted
      return .part(shifted, range)
    case .short206:
      return .part(file, Self.half(range))
    case .shortLength:
      var answer = Answer.part(file, range)
      answer.body = .file(file, Self.half(range))
      answer.framing = .length(Self.half(range).count)
      return answer
    case .oneRange(let offset) where range.contains(offset):
      return .page(503)
    default:
      return nil
    }
  }

  /// Parts with the right bytes, oddly told.
  private func oddPart(_ file: AlteredFile, _ range: Range<Int>) -> Answer? {
    var answer = Answer.part(file, range)
    switch self {
    case .ok200:
      answer.status = 200
    case .noContentRange:
      answer.fields.removeAll { $0.has("Content-Range") }
    case .twoContentRanges:
      let other = Answer.contentRange(0..<range.count + 1, of: file.size)
      answer.fields.append(HTTPField("Content-Range", other))
    case .multipart:
      return Self.multipart(file, range)
    default:
      return nil
    }
    return answer
  }

  /// The first half of a range, at least one byte.
  private static func half(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound..<range.lowerBound + (range.count + 1) / 2
  }

  /// The range as the only part of a multipart body (RFC 9110 §14.6).
  private static func multipart(_ file: AlteredFile, _ range: Range<Int>) -> Answer {
    let boundary = "part-of-a-file"
    let head = [
      "--\(boundary)", "Content-Type: application/octet-stream",
      "Content-Range: \(Answer.contentRange(range, of: file.size))", "", "",
    ].joined(separator: "\r\n")
    let bytes = Array(head.utf8) + file.bytes(in: range) + Array("\r\n--\(boundary)--\r\n".utf8)
    var answer = Answer(206, Answer.fields(of: file), .bytes(bytes))
    answer.fields.removeAll { $0.has("Content-Type") }
    answer.fields.append(
      HTTPField("Content-Type", "multipart/byteranges; boundary=\(boundary)")
    )
    return answer
  }
}
