import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct HonestMirrorTests {
  let file = SampleBytes(seed: 7).prefix(200_000)

  @Test func `a whole file comes with its length, a strong tag and the offer of ranges`() throws {
    let mirror = try FaultyMirror(files: ["a.gguf": file])
    let answer = try WireClient(port: mirror.port).request("/a.gguf")
    #expect(answer.status == 200)
    #expect(Long(answer.body) == Long(file))
    #expect(answer.value("Content-Length") == "200000")
    #expect(answer.value("Accept-Ranges") == "bytes")
    #expect(answer.value("ETag")?.hasPrefix("\"") == true)
    #expect(answer.end == .counted)
  }

  @Test(arguments: [
    ("bytes=0-0", 0..<1), ("bytes=5-9", 5..<10), ("bytes=199990-", 199_990..<200_000),
    ("bytes=-5", 199_995..<200_000), ("bytes=199999-999999", 199_999..<200_000),
    ("bytes=0-9223372036854775807", 0..<200_000), ("bytes=0-99999999999999999999", 0..<200_000),
  ])
  func `a range comes as 206 with its place`(range: String, expected: Range<Int>) throws {
    let mirror = try FaultyMirror(files: ["a": file])
    let answer = try WireClient(port: mirror.port).request("/a", ["Range: \(range)"])
    #expect(answer.status == 206)
    #expect(Long(answer.body) == Long(file[expected]))
    let place = "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/200000"
    #expect(answer.values("Content-Range") == [place])
    #expect(answer.value("Content-Length") == "\(expected.count)")
  }

  @Test(arguments: [
    "bytes=9-5", "bytes=a-b", "bytes=1-2,5-6", "lines=1-2", "bytes=-", "bytes=1-+2", "bytes=+1-2",
  ])
  func `a range that is none is ignored`(range: String) throws {
    let mirror = try FaultyMirror(files: ["a": file])
    let answer = try WireClient(port: mirror.port).request("/a", ["Range: \(range)"])
    #expect(answer.status == 200)
    #expect(Long(answer.body) == Long(file))
  }

  @Test(arguments: ["bytes=200000-", "bytes=200001-200005"])
  func `a range past the end gets 416 with a body in HTML`(range: String) throws {
    let mirror = try FaultyMirror(files: ["a": file])
    let answer = try WireClient(port: mirror.port).request("/a", ["Range: \(range)"])
    #expect(answer.status == 416)
    #expect(answer.value("Content-Range") == "bytes */200000")
    #expect(answer.value("Content-Type") == "text/html")
    #expect(answer.body.starts(with: "<html>".utf8))
  }

  @Test func `HEAD gets the header alone`() throws {
    let mirror = try FaultyMirror(files: ["a": file])
    let client = try WireClient(port: mirror.port)
    let answer = try client.request("/a", method: "HEAD", ["Range: bytes=0-1"])
    #expect(answer.status == 200)
    #expect(answer.value("Content-Length") == "200000")
    #expect(try Long(client.request("/a").body) == Long(file))
    #expect(mirror.requests.map(\.bytesSent) == [0, 200_000])
  }

  @Test func `another method is refused`() throws {
    let mirror = try FaultyMirror(files: ["a": file])
    #expect(try WireClient(port: mirror.port).request("/a", method: "PUT").status == 405)
  }

  @Test func `If-Range with the tag gives the part, with another tag the whole`() throws {
    let mirror = try FaultyMirror(files: ["a": file])
    let client = try WireClient(port: mirror.port)
    let tag = try #require(try client.request("/a", method: "HEAD").value("ETag"))
    #expect(try client.request("/a", ["Range: bytes=1-2", "If-Range: \(tag)"]).status == 206)
    #expect(try client.request("/a", ["Range: bytes=1-2", "If-Range: \"x\""]).status == 200)
  }

  @Test func `a connection stays open unless the client wants it closed`() throws {
    let mirror = try FaultyMirror(files: ["a": file])
    let first = try WireClient(port: mirror.port)
    for _ in 0..<3 { #expect(try first.request("/a").end == .counted) }
    let second = try WireClient(port: mirror.port)
    let answer = try second.request("/a", ["Connection: close"])
    #expect(answer.value("Connection") == "close")
    #expect(try second.answer(to: "GET").end == .closed)
    #expect(mirror.requests.map(\.connection) == [1, 1, 1, 2])
  }

  @Test func `requests sent at once are answered in turn`() throws {
    let mirror = try FaultyMirror(files: ["a": [1], "b": [2]])
    let client = try WireClient(port: mirror.port)
    try client.send(Array("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n".utf8))
    #expect(try client.answer(to: "GET").body == [1])
    #expect(try client.answer(to: "GET").body == [2])
  }

  @Test func `the log keeps what a request carried and what it got`() async throws {
    let mirror = try FaultyMirror(files: ["a b": file])
    _ = try WireClient(port: mirror.port).request(
      "/a%20b?x=1",
      [
        "Range: bytes=10-19", "Accept-Encoding: identity", "authorization: Bearer t",
        "COOKIE: c", "x-Api-Key: k",
      ]
    )
    await mirror.wait { $0.last?.isComplete == true }
    let record = try #require(mirror.requests.first)
    #expect(record.method == "GET")
    #expect(record.target == "/a%20b?x=1")
    #expect(record.path == "/a b")
    #expect(record.range == "bytes=10-19")
    #expect(record.acceptEncoding == "identity")
    #expect(record.hasAuthorization)
    #expect(record.hasCookie)
    #expect(record.extensionFields == ["x-Api-Key"])
    #expect(record.status == 206)
    #expect(mirror.bytesSent(for: "/a b") == 10)
    #expect(mirror.bytesSent == 10)
  }

  @Test func `a plain request carries no credentials`() throws {
    let mirror = try FaultyMirror(files: ["a": [1]])
    _ = try WireClient(port: mirror.port).request("/a")
    let record = try #require(mirror.requests.first)
    #expect(!record.hasAuthorization)
    #expect(!record.hasCookie)
    #expect(record.extensionFields.isEmpty)
  }

  @Test func `a folder is served as it is now, and nothing outside it`() throws {
    let folder = try Folder(creating: TemporaryFolder.path("served/sub"), mode: 0o755)
    try folder.replaceFile("a", with: [1, 2, 3], mode: 0o644)
    try Folder(path: TemporaryFolder.current).replaceFile("secret", with: [9], mode: 0o644)
    let mirror = try FaultyMirror(folder: TemporaryFolder.path("served"))
    let client = try WireClient(port: mirror.port)
    let before = try client.request("/sub/a")
    #expect(before.body == [1, 2, 3])
    try folder.replaceFile("a", with: [4, 5], mode: 0o644)
    let after = try client.request("/sub/a", ["Range: bytes=1-"])
    #expect(after.body == [5])
    #expect(after.value("ETag") != before.value("ETag"))
    for path in ["/../secret", "/sub", "/", "/nothing"] {
      #expect(try client.request(path).status == 404)
    }
  }

  @Test func `an empty file comes whole`() throws {
    let mirror = try FaultyMirror(files: ["a": []])
    let answer = try WireClient(port: mirror.port).request("/a")
    #expect(answer.status == 200)
    #expect(answer.value("Content-Length") == "0")
  }

  @Test func `what is no request gets 400`() throws {
    let mirror = try FaultyMirror()
    let client = try WireClient(port: mirror.port)
    try client.send(Array("hello\r\n\r\n".utf8))
    #expect(try client.answer(to: "GET").status == 400)
  }
}
