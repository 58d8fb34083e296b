import Glibc
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct MirrorLifeTests {
  @Test func `a fault can be changed while the mirror runs`() throws {
    let mirror = try FaultyMirror(files: ["a": [1]])
    let client = try WireClient(port: mirror.port)
    #expect(try client.request("/a").status == 200)
    mirror.set(.status(503))
    #expect(try client.request("/a").status == 503)
    mirror.set(.honest)
    #expect(try client.request("/a").status == 200)
  }

  @Test func `a fault holds for the paths that match, the newest first`() throws {
    let mirror = try FaultyMirror(files: ["m/a.gguf": [1], "m/b.json": [2]], .status(500))
    mirror.set(.honest, for: "*.gguf")
    mirror.set(.status(404), for: "/m/b*")
    let client = try WireClient(port: mirror.port)
    #expect(try client.request("/m/a.gguf").status == 200)
    #expect(try client.request("/m/b.json").status == 404)
    #expect(try client.request("/other").status == 500)
  }

  @Test func `a mirror that answers after another was asked waits for that`() async throws {
    let (leader, mirror) = (
      try FaultyMirror(files: ["a": [1]]), try FaultyMirror(files: ["a": [1]])
    )
    mirror.answer(after: leader)
    async let answer = WireClient(port: mirror.port).request("/a").status
    await mirror.wait { !$0.isEmpty }
    #expect(mirror.requests.map(\.status) == [0])
    #expect(try WireClient(port: leader.port).request("/a").status == 200)
    #expect(try await answer == 200)
    withExtendedLifetime(leader) {}
  }

  @Test func `files come and go`() throws {
    let mirror = try FaultyMirror()
    let client = try WireClient(port: mirror.port)
    #expect(try client.request("/a").status == 404)
    mirror.serve([1], at: "a")
    #expect(try client.request("/a").body == [1])
    mirror.remove("a")
    #expect(try client.request("/a").status == 404)
  }

  @Test(arguments: [Fault.stall(after: 10), .slow(bytesPerSecond: 1), .silence, .endlessBody])
  func `stop ends every connection at once and frees the port`(fault: Fault) async throws {
    let mirror = try FaultyMirror(files: ["a": [UInt8](repeating: 1, count: 1000)], fault)
    let client = try WireClient(port: mirror.port)
    try client.send(Array("GET /a HTTP/1.1\r\n\r\n".utf8))
    await mirror.wait { !$0.isEmpty }
    let start = ContinuousClock.now
    mirror.stop()
    #expect(ContinuousClock.now - start < .seconds(2))
    #expect(throws: SupportError.failed(call: "connect", code: ECONNREFUSED)) {
      try WireClient(port: mirror.port)
    }
    #expect(mirror.requests.count == 1)
    #expect(await mirror.wait { $0.count > 1 } == false)
  }

  @Test func `the last reference ends the mirror`() throws {
    var mirror: FaultyMirror? = try FaultyMirror(files: ["a": [1]])
    let port = try #require(mirror?.port)
    let client = try WireClient(port: port)
    #expect(try client.request("/a").status == 200)
    mirror = nil
    #expect(throws: SupportError.failed(call: "connect", code: ECONNREFUSED)) {
      try WireClient(port: port)
    }
  }

  @Test func `connections can be cut while new ones are taken`() async throws {
    let mirror = try FaultyMirror(files: ["a": [1, 2]], .stall())
    let client = try WireClient(port: mirror.port)
    try client.send(Array("GET /a HTTP/1.1\r\n\r\n".utf8))
    await mirror.wait { $0.last?.isComplete == true }
    mirror.cutConnections()
    #expect(try client.answer(to: "GET").end == .closed)
    mirror.set(.honest)
    #expect(try WireClient(port: mirror.port).request("/a").status == 200)
  }

  @Test func `a wait ends when its task is cancelled`() async throws {
    let mirror = try FaultyMirror()
    let task = Task { await mirror.wait { !$0.isEmpty } }
    task.cancel()
    #expect(await task.value == false)
  }

  @Test func `many clients at once are served in full`() async throws {
    let file = SampleBytes().prefix(100_000)
    let mirror = try FaultyMirror(files: ["a": file])
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<40 {
        group.addTask {
          let client = try WireClient(port: mirror.port)
          let first = try client.request("/a").body
          return try first == file && client.request("/a").body == file
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(mirror.bytesSent == 40 * 2 * 100_000)
    #expect(Set(mirror.requests.map(\.connection)).count == 40)
  }

  @Test func `a file from disk comes from any place of a big one`() throws {
    let bytes = SampleBytes(seed: 3)
    try bytes.write(20_000_000, to: TemporaryFolder.path("big"))
    let mirror = try FaultyMirror(folder: TemporaryFolder.current)
    let client = try WireClient(port: mirror.port)
    #expect(try Long(client.request("/big").body) == Long(bytes.prefix(20_000_000)))
    let part = try client.request("/big", ["Range: bytes=12345678-19999999"])
    #expect(Long(part.body) == Long(bytes[12_345_678..<20_000_000]))
  }

  @Test func `a dead port refuses`() throws {
    let dead = try DeadPort()
    #expect(throws: SupportError.failed(call: "connect", code: ECONNREFUSED)) {
      try WireClient(port: dead.port)
    }
    #expect(dead.url == "http://127.0.0.1:\(dead.port)")
  }
}
