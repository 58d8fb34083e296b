import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DeliveryTests {
  static let size = 3_000_000
  let file = SampleBytes(seed: 10).prefix(Self.size)

  private func client(
    _ mirror: FaultyMirror,
    patience: Duration = .seconds(10)
  ) throws -> WireClient {
    try WireClient(port: mirror.port, patience: patience)
  }

  @Test func `truncated promises all and closes after 60 percent`() throws {
    let mirror = try FaultyMirror(files: ["a": file], .truncated)
    let answer = try client(mirror).request("/a")
    #expect(answer.value("Content-Length") == "\(Self.size)")
    #expect(Long(answer.body) == Long(file.prefix(1_800_000)))
    #expect(answer.end == .closed)
    let part = try client(mirror).request("/a", ["Range: bytes=0-99"])
    #expect(part.value("Content-Length") == "100")
    #expect(part.body.count == 60)
  }

  @Test func `truncatedWithoutLength ignores the range and closes after 60 percent`() throws {
    let mirror = try FaultyMirror(files: ["a": file], .truncatedWithoutLength)
    let answer = try client(mirror).request("/a", ["Range: bytes=5-"])
    #expect(answer.status == 200)
    #expect(answer.value("Content-Length") == nil)
    #expect(Long(answer.body) == Long(file.prefix(1_800_000)))
    #expect(answer.end == .closed)
  }

  @Test(arguments: [(Self.size, 1 << 20), (1000, 500)])
  func `reset comes after 1 MiB or half of the body`(count: Int, received: Int) throws {
    let mirror = try FaultyMirror(files: ["a": Array(file.prefix(count))], .reset)
    let answer = try client(mirror).request("/a")
    #expect(Long(answer.body) == Long(file.prefix(received)))
    #expect(answer.end == .reset)
  }

  @Test func `stall stops in the body and keeps the connection open`() throws {
    let mirror = try FaultyMirror(files: ["a": file], .stall())
    let answer = try client(mirror, patience: .milliseconds(300)).request("/a")
    #expect(Long(answer.body) == Long(file.prefix(1 << 20)))
    #expect(answer.end == .silent)
  }

  @Test func `stallAt never sends the byte at that place, and serves what lies before it`() throws {
    let mirror = try FaultyMirror(files: ["a": file], .stallAt(1000))
    let client = try client(mirror, patience: .milliseconds(300))
    let before = try client.request("/a", ["Range: bytes=10-999"])
    #expect(Long(before.body) == Long(file[10...999]))
    #expect(before.end == .counted)
    let across = try client.request("/a", ["Range: bytes=990-2000"])
    #expect(Long(across.body) == Long(file[990...999]))
    #expect(across.end == .silent)
  }

  @Test func `silence takes the request and says nothing`() async throws {
    let mirror = try FaultyMirror(files: ["a": file], .silence)
    let answer = try client(mirror, patience: .milliseconds(300)).request("/a")
    #expect(answer.head.isEmpty)
    #expect(answer.end == .silent)
    #expect(mirror.requests.map(\.status) == [0])
  }

  @Test func `slow keeps to its speed`() throws {
    let mirror = try FaultyMirror(files: ["a": file], .slow(bytesPerSecond: 100_000))
    let start = ContinuousClock.now
    let answer = try client(mirror).request("/a", ["Range: bytes=0-49999"])
    let time = ContinuousClock.now - start
    #expect(Long(answer.body) == Long(file.prefix(50_000)))
    #expect(time > .milliseconds(400))
  }

  @Test func `a rate goes with any fault and can be taken back`() throws {
    let mirror = try FaultyMirror(files: ["a": file], .zeros)
    mirror.rate = 1_000_000
    let start = ContinuousClock.now
    _ = try client(mirror).request("/a", ["Range: bytes=0-399999"])
    #expect(ContinuousClock.now - start > .milliseconds(300))
    mirror.rate = nil
    #expect(try client(mirror).request("/a").body.count == Self.size)
  }

  @Test func `slowHeader delays the header and then the body comes at once`() throws {
    let mirror = try FaultyMirror(files: ["a": [1]], .slowHeader(bytesPerSecond: 400))
    let start = ContinuousClock.now
    #expect(try client(mirror).request("/a").body == [1])
    #expect(ContinuousClock.now - start > .milliseconds(200))
  }

  @Test func `endlessHeader never comes to the body`() throws {
    let mirror = try FaultyMirror(files: ["a": [1]], .endlessHeader)
    let answer = try client(mirror).request("/a")
    #expect(answer.status == 200)
    #expect(answer.head.utf8.count == 16 * 1024)
    #expect(answer.end == .limited)
  }

  @Test func `endlessBody goes round and round without a length`() throws {
    let mirror = try FaultyMirror(files: ["a": Array(file.prefix(1000))], .endlessBody)
    let answer = try client(mirror).request("/a", limit: 5_000_000)
    #expect(answer.value("Content-Length") == nil)
    #expect(answer.end == .limited)
    #expect(Long(answer.body[2000..<3000]) == Long(file[..<1000]))
  }

  @Test func `garbage is no status line`() throws {
    let mirror = try FaultyMirror(files: ["a": [1]], .garbage)
    let answer = try client(mirror).request("/a")
    #expect(answer.status == nil)
    #expect(!answer.head.hasPrefix("HTTP"))
  }

  @Test func `chunked sends the honest bytes in chunks`() throws {
    let mirror = try FaultyMirror(files: ["a": file], .chunked)
    let client = try client(mirror)
    let answer = try client.request("/a", ["Connection: close"])
    #expect(answer.value("Transfer-Encoding") == "chunked")
    #expect(answer.value("Content-Length") == nil)
    #expect(Long(answer.dechunked ?? []) == Long(file))
    #expect(mirror.bytesSent == Self.size)
  }
}
