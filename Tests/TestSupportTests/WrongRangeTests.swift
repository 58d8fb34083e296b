import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WrongRangeTests {
  let file = SampleBytes(seed: 9).prefix(100_000)

  private func part(_ fault: Fault, _ range: String = "bytes=1000-1999") throws -> WireAnswer {
    let mirror = try FaultyMirror(files: ["a": file], fault)
    return try WireClient(port: mirror.port).request("/a", ["Range: \(range)"])
  }

  @Test(arguments: [
    Fault.ok200, .wrongContentRange, .noContentRange, .shift, .short206, .shortLength,
    .twoContentRanges, .multipart, .oneRange(holding: 5),
  ])
  func `a fault of ranges leaves the whole file alone`(fault: Fault) throws {
    let mirror = try FaultyMirror(files: ["a": file], fault)
    let answer = try WireClient(port: mirror.port).request("/a")
    #expect(answer.status == 200)
    #expect(Long(answer.body) == Long(file))
  }

  @Test func `noRange sends the whole file and offers no ranges`() throws {
    let answer = try part(.noRange)
    #expect(answer.status == 200)
    #expect(Long(answer.body) == Long(file))
    #expect(answer.value("Accept-Ranges") == nil)
    #expect(answer.value("Content-Range") == nil)
  }

  @Test func `ok200 sends the right part with the wrong status`() throws {
    let answer = try part(.ok200)
    #expect(answer.status == 200)
    #expect(answer.value("Content-Range") == "bytes 1000-1999/100000")
    #expect(Long(answer.body) == Long(file[1000..<2000]))
  }

  @Test func `wrongContentRange sends the first bytes and says so`() throws {
    let answer = try part(.wrongContentRange)
    #expect(answer.status == 206)
    #expect(answer.value("Content-Range") == "bytes 0-999/100000")
    #expect(Long(answer.body) == Long(file[..<1000]))
  }

  @Test func `noContentRange sends the right part without its place`() throws {
    let answer = try part(.noContentRange)
    #expect(answer.status == 206)
    #expect(answer.value("Content-Range") == nil)
    #expect(Long(answer.body) == Long(file[1000..<2000]))
  }

  @Test func `shift sends bytes from one place earlier`() throws {
    let answer = try part(.shift)
    #expect(answer.value("Content-Range") == "bytes 1000-1999/100000")
    #expect(Long(answer.body) == Long(file[999..<1999]))
    #expect(try Long(part(.shift, "bytes=0-9").body) == Long(file.suffix(1) + file[..<9]))
  }

  @Test func `short206 sends half and says so`() throws {
    let answer = try part(.short206)
    #expect(answer.value("Content-Range") == "bytes 1000-1499/100000")
    #expect(Long(answer.body) == Long(file[1000..<1500]))
    #expect(try part(.short206, "bytes=7-7").body == [file[7]])
  }

  @Test func `shortLength sends half and promises the whole range`() throws {
    let answer = try part(.shortLength)
    #expect(answer.value("Content-Range") == "bytes 1000-1999/100000")
    #expect(answer.value("Content-Length") == "500")
    #expect(Long(answer.body) == Long(file[1000..<1500]))
    #expect(answer.end == .counted)
  }

  @Test func `twoContentRanges and twoLengths contradict themselves`() throws {
    let ranges = try part(.twoContentRanges)
    #expect(
      ranges.values("Content-Range") == ["bytes 1000-1999/100000", "bytes 0-1000/100000"]
    )
    let lengths = try part(.twoLengths)
    #expect(lengths.values("Content-Length") == ["1000", "1001"])
    #expect(Long(lengths.body) == Long(file[1000..<2000]))
  }

  @Test func `multipart wraps the range in a part`() throws {
    let answer = try part(.multipart)
    #expect(answer.status == 206)
    #expect(answer.value("Content-Type") == "multipart/byteranges; boundary=part-of-a-file")
    #expect(answer.value("Content-Range") == nil)
    let text = String(decoding: answer.body.prefix(150), as: UTF8.self)
    #expect(text.hasPrefix("--part-of-a-file\r\n"))
    #expect(text.contains("Content-Range: bytes 1000-1999/100000"))
    #expect(answer.body.count > 1000)
  }

  @Test func `always416 refuses every request in plain text`() throws {
    let answer = try part(.always416)
    #expect(answer.status == 416)
    #expect(answer.value("Content-Type") == "text/plain")
  }

  @Test func `oneRange refuses the ranges that hold its offset`() throws {
    let refused = try part(.oneRange(holding: 1500))
    #expect(refused.status == 503)
    #expect(refused.value("Content-Type") == "text/html")
    #expect(try part(.oneRange(holding: 2000)).status == 206)
  }

  @Test func `ignoresIfRange sends the part whatever the tag`() throws {
    let mirror = try FaultyMirror(files: ["a": file], .ignoresIfRange)
    let answer = try WireClient(port: mirror.port)
      .request("/a", ["Range: bytes=1-2", "If-Range: \"other\""])
    #expect(answer.status == 206)
  }
}
