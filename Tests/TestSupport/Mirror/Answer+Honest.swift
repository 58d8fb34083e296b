extension Answer {
  /// What an honest server says: 200, 206 or 416.
  static func honest(_ request: RequestHead, _ file: AlteredFile) -> Answer {
    switch selection(request, file) {
    case .whole: whole(file)
    case .part(let range): part(file, range)
    case .pastTheEnd: pastTheEnd(file)
    }
  }

  /// What the request asks of this file, If-Range and the method considered.
  static func selection(
    _ request: RequestHead,
    _ file: AlteredFile,
    honoursIfRange: Bool = true
  ) -> RangeRequest {
    guard request.method != "HEAD" else { return .whole }
    if honoursIfRange, let tag = request.fields.value("If-Range"),
      !tag.utf8.elementsEqual(file.tag.utf8)
    {
      return .whole
    }
    return RangeRequest(request.fields.value("Range"), size: file.size)
  }

  static func whole(_ file: AlteredFile) -> Answer {
    Answer(200, fields(of: file), .file(file, 0..<file.size))
  }

  static func part(_ file: AlteredFile, _ range: Range<Int>) -> Answer {
    let place = HTTPField("Content-Range", contentRange(range, of: file.size))
    return Answer(206, fields(of: file) + [place], .file(file, range))
  }

  static func pastTheEnd(_ file: AlteredFile) -> Answer {
    var answer = page(416)
    answer.fields.append(HTTPField("Content-Range", "bytes */\(file.size)"))
    return answer
  }

  /// A small page in HTML that names the status.
  static func page(_ status: Int, retryAfter: Int? = nil) -> Answer {
    let html =
      "<html><head><title>\(status)</title></head><body><h1>\(status)</h1></body></html>\r\n"
    var answer = Answer(status, [HTTPField("Content-Type", "text/html")], .bytes(Array(html.utf8)))
    if let retryAfter { answer.fields.append(HTTPField("Retry-After", "\(retryAfter)")) }
    return answer
  }

  static func fields(of file: AlteredFile) -> [HTTPField] {
    [
      HTTPField("Content-Type", "application/octet-stream"),
      HTTPField("ETag", file.tag),
      HTTPField("Accept-Ranges", "bytes"),
    ]
  }

  static func contentRange(_ range: Range<Int>, of size: Int) -> String {
    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
  }
}
