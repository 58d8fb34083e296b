extension Fault {
  /// What a mirror with this fault says.
  ///
  /// `turn` is the number of this request among those that met the fault since it was set, from 1.
  func answer(to request: RequestHead, _ file: (any ServedFile)?, turn: Int) -> Answer {
    if let answer = refusal(request, turn: turn) { return answer }
    guard let file else { return .page(404) }
    let altered = alter(AlteredFile(file), turn: turn)
    return answerToRange(request, altered)
      ?? answerInAnotherForm(request, altered)
      ?? deliver(.honest(request, altered), altered)
  }

  /// The file as this fault shows it.
  private func alter(_ file: AlteredFile, turn: Int) -> AlteredFile {
    var file = file
    switch self {
    case .flip(let offset):
      file.alteration = .flip(at: offset)
    case .flipEvery(let stretch):
      file.alteration = .flipEvery(stretch)
    case .zeros:
      file.alteration = .zeros
    case .longer(let count):
      file.size += count
    case .shorter(let count):
      file.size = max(0, file.size - count)
    case .swapAfter(let first, _) where turn >= first:
      file.alteration = .swapped
      file.tag = "\"swapped-\(file.size)\""
    case .etagFlip:
      file.tag = "\"turn-\(turn)\""
    default: break
    }
    return file
  }

  /// The answer of faults that change what is sent for the whole file too; nil for others.
  private func answerInAnotherForm(_ request: RequestHead, _ file: AlteredFile) -> Answer? {
    switch self {
    case .noRange:
      var answer = Answer.whole(file)
      answer.fields.removeAll { $0.has("Accept-Ranges") }
      return answer
    case .gzip:
      return Self.coded(file)
    case .gzipNegotiated where request.acceptsGzip:
      return Self.coded(file)
    case .truncatedWithoutLength:
      var answer = Answer.whole(file)
      answer.framing = .untilClose
      answer.cut = file.size * 3 / 5
      answer.ending = .close
      return answer
    case .endlessBody:
      var answer = Answer.honest(request, file)
      answer.body = .endless(file)
      answer.framing = .untilClose
      answer.ending = .close
      return answer
    default:
      return nil
    }
  }

  private static func coded(_ file: AlteredFile) -> Answer {
    var answer = Answer(
      200,
      Answer.fields(of: file).filter { !$0.has("Accept-Ranges") },
      .gzip(file)
    )
    answer.fields += [HTTPField("Content-Encoding", "gzip"), HTTPField("Vary", "Accept-Encoding")]
    return answer
  }

  /// The honest answer, sent as this fault sends it.
  private func deliver(_ honest: Answer, _ file: AlteredFile) -> Answer {
    var answer = honest
    let count = honest.body.count ?? 0
    switch self {
    case .field(let name, let value):
      answer.fields.append(HTTPField(name, value))
    case .twoLengths:
      answer.fields.append(HTTPField("Content-Length", "\(count)"))
      answer.framing = .length(count + 1)
      answer.ending = .close
    case .truncated:
      answer.cut = count * 3 / 5
      answer.ending = .close
    case .reset:
      answer.cut = min(1 << 20, count / 2)
      answer.ending = .reset
    case .stall(let limit):
      answer.cut = min(limit, count / 2)
      answer.ending = .silence
    case .stallAt(let offset):
      guard case .file(_, let range) = honest.body, range.upperBound > offset else { break }
      answer.cut = max(0, offset - range.lowerBound)
      answer.ending = .silence
    case .slow(let rate):
      answer.rate = rate
    case .slowHeader(let rate):
      answer.headRate = rate
    case .endlessHeader:
      answer.hasEndlessHeader = true
      answer.ending = .close
    case .garbage:
      answer.statusLine = "\u{16}\u{3}\u{1} not HTTP at all"
      answer.ending = .close
    case .chunked:
      answer.framing = .chunked
    default: break
    }
    return answer
  }
}

extension RequestHead {
  fileprivate var acceptsGzip: Bool {
    guard let offered = fields.value("Accept-Encoding") else { return false }
    return lowered(offered).split(separator: UInt8(ascii: ",")).contains { coding in
      let name = coding.drop { $0 == 0x20 }.prefix { $0 != 0x3b && $0 != 0x20 }
      return name.elementsEqual("gzip".utf8) || name.elementsEqual("*".utf8)
    }
  }
}
