import Publishing
import Testing

/// What the static server makes of requests: no file outside of its folder, no list of one, and ranges as asked.
@Suite struct StaticServerTests {
  private func request(_ text: String) throws(StaticRequest.Fault) -> StaticRequest {
    try StaticRequest(head: Array(text.utf8))
  }

  @Test(arguments: [
    ("/metadata/1.root.json", "metadata/1.root.json"),
    ("/targets/manifests/a%2Bb/x.json", "targets/manifests/a+b/x.json"),
    ("/a%20b", "a b"), ("/%2541", "%41"),
  ])
  func `a plain path is served`(target: String, path: String) {
    #expect(ServedPath.path(of: target) == path)
  }

  @Test(arguments: [
    "", "/", "metadata", "//x", "/a//b", "/a/", "/../x", "/a/../../x", "/a/..", "/.", "/..",
    "/.sealift/x",
    "/a/.git/config", "/%2e%2e/x", "/%2e/x", "/a%2f..%2f..%2fx", "/a%2f%2fb", "/%", "/%4", "/%zz",
    "/a%00b",
    "/a%0ab", "/a\\..\\b", "/é", "/a%c3%a9", "/a%5cb", "http://other/x",
    "/" + String(repeating: "a", count: 1_024),
  ])
  func `what leads out of the folder, is hidden or is no plain name is not served`(target: String) {
    #expect(ServedPath.path(of: target) == nil)
  }

  @Test(arguments: [
    ("", StaticRequest.Fault.malformed), ("GET", .malformed), ("GET /", .malformed),
    ("GET  / HTTP/1.1", .malformed), ("GET / HTTP/2", .malformed), ("GET / HTTP/1.1 x", .malformed),
    ("GET / HTTP/1.1\r\nNoColon", .malformed), ("GET / HTTP/1.1\r\n: x", .malformed),
    ("GET / HTTP/1.1\r\nHost : x", .malformed), ("GET /\u{0} HTTP/1.1", .malformed),
    ("POST / HTTP/1.1", .otherMethod), ("get / HTTP/1.1", .otherMethod),
    ("GET / HTTP/1.1\r\nContent-Length: 5", .hasBody),
    ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked", .hasBody),
  ])
  func `what is no request for a file is refused`(text: String, fault: StaticRequest.Fault) {
    #expect(throws: fault) { try self.request(text) }
  }

  @Test(arguments: [
    ("GET /a HTTP/1.1", true), ("GET /a HTTP/1.1\r\nConnection: close", false),
    ("GET /a HTTP/1.0", false),
    ("GET /a HTTP/1.0\r\nConnection: Keep-Alive", true),
  ])
  func `a connection stays as its version and its client say`(text: String, stays: Bool) throws {
    #expect(try request(text).keepsConnection == stays)
  }

  @Test(arguments: [
    ("bytes=0-4", 0..<5), ("bytes=5-", 5..<10), ("bytes=-3", 7..<10), ("bytes=0-99", 0..<10),
    ("bytes=-99", 0..<10), ("bytes=9-9", 9..<10), ("bytes=3-9223372036854775807", 3..<10),
    ("bytes=-9223372036854775807", 0..<10),
  ])
  func `a range is cut to the file`(text: String, bytes: Range<Int>) throws {
    #expect(try #require(RequestedRange(text)).bytes(of: 10) == bytes)
  }

  @Test(arguments: ["bytes=10-", "bytes=10-20", "bytes=-0"])
  func `a range that has nothing of the file is said to be so`(text: String) throws {
    let request = try request("GET /a HTTP/1.1\r\nRange: \(text)")
    let answer = StaticAnswer(request, path: "a", size: 10)
    #expect(answer.status == 416 && answer.body == nil)
    #expect(String(decoding: answer.head, as: UTF8.self).contains("Content-Range: bytes */10\r\n"))
  }

  @Test(arguments: [
    "bytes=4-2", "bytes=", "bytes=a-b", "bytes=0-1,3-4", "items=0-1", "bytes=+1-2", "bytes=1",
  ])
  func `what is no single range gets the whole file`(text: String) throws {
    let answer = StaticAnswer(try request("GET /a HTTP/1.1\r\nRange: \(text)"), path: "a", size: 10)
    #expect(answer.status == 200 && answer.body == 0..<10)
  }

  @Test func `a HEAD gets the length and no bytes`() throws {
    let answer = StaticAnswer(try request("HEAD /a?x=1 HTTP/1.1"), path: "a", size: 10)
    #expect(answer.body == nil && answer.status == 200)
    #expect(String(decoding: answer.head, as: UTF8.self).contains("Content-Length: 10\r\n"))
  }

  @Test(arguments: [
    ("metadata/timestamp.json", true), ("metadata/root.json", true),
    ("metadata/3.root.json", false),
    ("blobs/sha256/00", false), ("targets/ab.policy.json", false), ("index.html", true),
  ])
  func `only what changes under its name is asked for again`(path: String, mayChange: Bool) throws {
    let answer = StaticAnswer(try request("GET /\(path) HTTP/1.1"), path: path, size: 1)
    #expect(String(decoding: answer.head, as: UTF8.self).contains("no-cache") == mayChange)
  }
}
