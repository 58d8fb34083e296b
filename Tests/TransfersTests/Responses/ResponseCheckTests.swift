import Digests
import Testing
import Transfers

@Suite struct ResponseCheckTests {
  private static let digest = SHA256Digest(of: [1])
  private static let request = FetchRequest(
    label: "weights.gguf",
    name: "0",
    size: 1000,
    digest: digest,
    chunks: nil,
    sources: []
  )
  private static let whole = ResponseAsk(0..<1000, of: request)
  private static let ranged = ResponseAsk(100..<300, of: request)
  private static let start = ResponseAsk(0..<300, of: request)

  private func judge(
    _ ask: ResponseAsk,
    _ status: Int,
    _ fields: KeyValuePairs<String, String>
  ) -> ResponseVerdict {
    ResponseCheck.judge(ResponseHead(status: status, fields: fields), for: ask, wallClock: 0)
  }

  @Test func `a whole answer to a whole request is taken`() {
    #expect(judge(Self.whole, 200, [:]) == .take(0..<1000))
    #expect(judge(Self.whole, 200, ["Content-Length": "1000"]) == .take(0..<1000))
    let identity: KeyValuePairs = ["Content-Encoding": "Identity", "Content-Type": "text/plain"]
    #expect(judge(Self.whole, 200, identity) == .take(0..<1000))
  }

  @Test func `a partial answer is taken as far as it goes`() {
    let full: KeyValuePairs = ["Content-Range": "bytes 100-299/1000", "Content-Length": "200"]
    #expect(judge(Self.ranged, 206, full) == .take(100..<300))
    #expect(judge(Self.ranged, 206, ["Content-Range": "bytes 100-299/*"]) == .take(100..<300))
    #expect(judge(Self.ranged, 206, ["Content-Range": "bytes 100-199/1000"]) == .take(100..<200))
  }

  @Test(arguments: [
    ("bytes 0-199/1000", MirrorFault.otherRange(asked: 100..<300, answered: "bytes 0-199/1000")),
    ("bytes 100-300/1000", .otherRange(asked: 100..<300, answered: "bytes 100-300/1000")),
    ("bytes 101-299/1000", .otherRange(asked: 100..<300, answered: "bytes 101-299/1000")),
    ("bytes 100-299/1001", .otherSize(announced: 1001, expected: 1000)),
    ("bytes 299-100/1000", .malformedHead("Content-Range \"bytes 299-100/1000\"")),
    ("bytes */1000", .malformedHead("Content-Range \"bytes */1000\"")),
  ])
  func `a partial answer of other bytes is refused`(value: String, fault: MirrorFault) {
    #expect(judge(Self.ranged, 206, ["Content-Range": value]) == .refuse(fault))
  }

  @Test func `a partial answer needs one Content-Range`() {
    #expect(judge(Self.ranged, 206, [:]) == .refuse(.noContentRange))
    let two: KeyValuePairs = [
      "Content-Range": "bytes 100-299/1000", "content-range": "bytes 100-299/1000",
    ]
    let fault = MirrorFault.malformedHead("Content-Range \"bytes 100-299/1000\"")
    #expect(judge(Self.ranged, 206, two) == .refuse(fault))
  }

  @Test func `a whole answer to a range is usable only from the start or with the exact range`() {
    #expect(judge(Self.ranged, 200, [:]) == .refuse(.noRanges(status: 200)))
    #expect(judge(Self.start, 200, ["Content-Length": "1000"]) == .take(0..<1000))
    let exact: KeyValuePairs = ["Content-Range": "bytes 100-299/1000", "Content-Length": "200"]
    #expect(judge(Self.ranged, 200, exact) == .take(100..<300))
    let other: KeyValuePairs = ["Content-Range": "bytes 100-298/1000"]
    #expect(judge(Self.ranged, 200, other) == .refuse(.noRanges(status: 200)))
  }

  @Test(arguments: [
    ("999", MirrorFault.otherSize(announced: 999, expected: 1000)),
    ("1001", .otherSize(announced: 1001, expected: 1000)),
    ("+1000", .malformedHead("Content-Length \"+1000\"")),
    ("1000, 1000", .malformedHead("Content-Length \"1000, 1000\"")),
    ("", .malformedHead("Content-Length \"\"")),
    ("9223372036854775808", .malformedHead("Content-Length \"9223372036854775808\"")),
  ])
  func `a length that is not the file's is refused`(length: String, fault: MirrorFault) {
    #expect(judge(Self.whole, 200, ["Content-Length": length]) == .refuse(fault))
  }

  @Test func `the length of a partial answer is that of its range`() {
    let fields: KeyValuePairs = ["Content-Range": "bytes 100-299/1000", "Content-Length": "100"]
    let fault = MirrorFault.otherLength(announced: 100, expected: 200)
    #expect(judge(Self.ranged, 206, fields) == .refuse(fault))
  }

  @Test func `lengths that differ are refused`() {
    let verdict = judge(Self.whole, 200, ["Content-Length": "1000", "content-length": "10"])
    guard case .refuse(.malformedHead) = verdict else { return #expect(Bool(false), "\(verdict)") }
  }

  @Test(arguments: ["gzip", "br", "identity, gzip", "GZIP"])
  func `a coded body is refused`(coding: String) {
    let fields: KeyValuePairs = ["Content-Encoding": coding]
    #expect(judge(Self.whole, 200, fields) == .refuse(.contentCoding(coding)))
  }

  @Test(arguments: ["text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml"])
  func `a page is refused unless a page is wanted`(type: String) {
    let fields: KeyValuePairs = ["Content-Type": type]
    #expect(judge(Self.whole, 200, fields) == .refuse(.html(firstBytes: "")))
    let request = FetchRequest(
      label: "docs/README.HTML",
      name: "0",
      size: 1000,
      digest: Self.digest,
      chunks: nil,
      sources: []
    )
    #expect(judge(ResponseAsk(0..<1000, of: request), 200, fields) == .take(0..<1000))
  }

  @Test func `several parts are refused`() {
    let fields: KeyValuePairs = ["Content-Type": "multipart/byteranges; boundary=x"]
    #expect(judge(Self.ranged, 206, fields) == .refuse(.severalParts))
  }

  @Test(arguments: [
    (401, MirrorFault.denied(status: 401)), (403, .denied(status: 403)),
    (404, .missing(status: 404)), (410, .missing(status: 410)),
    (416, .noRanges(status: 416)), (429, .throttled(status: 429, retryAfter: nil)),
    (503, .throttled(status: 503, retryAfter: nil)), (500, .status(500)), (400, .status(400)),
    (204, .status(204)), (304, .status(304)), (408, .status(408)),
  ])
  func `a status other than 200 and 206 is refused by its class`(status: Int, fault: MirrorFault) {
    #expect(judge(Self.ranged, status, ["Content-Type": "text/html"]) == .refuse(fault))
  }

  @Test func `a refused range that names another size shows another file`() {
    let fields: KeyValuePairs = ["Content-Range": "bytes */50"]
    let fault = MirrorFault.otherSize(announced: 50, expected: 1000)
    #expect(judge(Self.ranged, 416, fields) == .refuse(fault))
    #expect(judge(Self.whole, 416, [:]) == .refuse(.status(416)))
  }

  @Test func `a redirect gives its place, and needs one`() {
    #expect(judge(Self.whole, 302, ["Location": "/x"]) == .redirect(Array("/x".utf8)))
    #expect(
      judge(Self.whole, 307, [:]) == .refuse(.malformedHead("307 without one Location"))
    )
    let two: KeyValuePairs = ["Location": "/x", "location": "/y"]
    #expect(judge(Self.whole, 301, two) == .refuse(.malformedHead("301 without one Location")))
  }

  @Test func `an announced digest that differs is refused, and one that agrees changes nothing`() {
    let other = SHA256Digest(of: [2])
    let base64 = "28G0yQDx2kK9n/IyjIBmcGYV7qAWxgtdGcYzGWqPLhQ="
    #expect(
      judge(Self.whole, 200, ["Repr-Digest": "sha-512=:AAAA:, sha-256=:\(base64):"])
        == .refuse(.otherDigest(announced: SHA256Digest(bytes: Self.decoded(base64)) ?? other))
    )
    #expect(judge(Self.whole, 200, ["Repr-Digest": "sha-256=:garbage"]) == .take(0..<1000))
    let own = Self.encoded(Self.digest.bytes)
    #expect(judge(Self.whole, 200, ["Repr-Digest": "sha-256=:\(own):"]) == .take(0..<1000))
  }

  @Test func `a malformed field line is refused before anything else`() {
    var head = ResponseHead(status: 200)
    head.add(line: Array(" folded: value".utf8))
    let verdict = ResponseCheck.judge(head, for: Self.whole, wallClock: 0)
    #expect(verdict == .refuse(.malformedHead("field line \" folded: value\"")))
  }

  @Test func `a document is taken up to its limit`() {
    let ask = ResponseAsk(documentLimit: 10)
    #expect(judge(ask, 200, ["Content-Length": "10"]) == .take(0..<10))
    #expect(judge(ask, 200, ["Content-Length": "11"]) == .refuse(.tooLong(limit: 10)))
    #expect(judge(ask, 200, [:]) == .takeUpTo(10))
    #expect(judge(ask, 206, [:]) == .refuse(.status(206)))
    #expect(judge(ask, 200, ["Content-Type": "text/html"]) == .refuse(.html(firstBytes: "")))
  }
}

extension ResponseCheckTests {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  private static func encoded(_ bytes: [UInt8]) -> String {
    var bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    while bits.count % 6 != 0 { bits.append(0) }
    var text = stride(from: 0, to: bits.count, by: 6).map { start in
      alphabet[bits[start..<start + 6].reduce(0) { $0 << 1 | Int($1) }]
    }
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  private static func decoded(_ text: String) -> [UInt8] {
    let bits = text.utf8.compactMap(alphabet.firstIndex(of:)).flatMap { value in
      (0..<6).map { UInt8(value >> (5 - $0) & 1) }
    }
    return stride(from: 0, to: bits.count - bits.count % 8, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
    }
  }
}
