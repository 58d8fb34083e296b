import Foundation
import TestSupport
import Testing

/// What `repo serve` hands out over loopback.
@Suite(.temporaryFolder)
struct RepositoryServeTests {
  @Test
  func
    `it prints its URL, serves whole files and ranges over one connection, and ends when interrupted`()
    async throws
  {
    _ = try await RepositoryBench.make()
    var tool = try Tool.built("sealift-publish")
    tool.folder = TemporaryFolder.current
    let server = try tool.start(["repo", "serve", "public"])
    #expect(await server.waitForOutput { $0.hasSuffix("\n") })
    let url = String(decoding: server.standardOutput, as: UTF8.self)
    let port = try #require(UInt16(url.dropFirst("http://127.0.0.1:".count).dropLast()))
    let client = try WireClient(port: port, patience: .seconds(120))
    let root = try contents("public/metadata/1.root.json")
    let whole = try client.request("/metadata/1.root.json")
    #expect(whole.status == 200 && whole.body == root && whole.end == .counted)
    let part = try client.request("/metadata/1.root.json", ["Range: bytes=5-9"])
    #expect(part.status == 206 && part.body == Array(root[5...9]))
    for path in [
      "/metadata/9.root.json", "/metadata/", "/", "/.sealift/publish.lock",
      "/%2e%2e/keys/owner.key",
      "/../keys/owner.key",
    ] {
      let answer = try client.request(path)
      #expect(answer.status == 404 && answer.body.isEmpty, "\(path)")
    }
    try FileManager.default.createSymbolicLink(
      atPath: TemporaryFolder.path("public/link.json"),
      withDestinationPath: "../keys/owner.key"
    )
    #expect(try client.request("/link.json").status == 404)
    #expect(try client.request("/metadata/1.root.json", method: "HEAD").body.isEmpty)
    #expect(try client.request("/x", method: "POST").status == 405)
    server.interrupt()
    #expect(await server.wait().exitCode == 0)
  }

  @Test func `a large file arrives whole, and a client that reads nothing keeps no other waiting`()
    async throws
  {
    _ = try await RepositoryBench.make()
    let large = SampleBytes(seed: 3).prefix(8 << 20)
    try place(large, at: "public/blobs/sha256/large")
    var tool = try Tool.built("sealift-publish")
    tool.folder = TemporaryFolder.current
    let server = try tool.start(["repo", "serve", "public"])
    #expect(await server.waitForOutput { $0.hasSuffix("\n") })
    let url = String(decoding: server.standardOutput, as: UTF8.self)
    let port = try #require(UInt16(url.dropFirst("http://127.0.0.1:".count).dropLast()))
    let slow = try WireClient(port: port, patience: .seconds(120))
    try slow.send(Array("GET /blobs/sha256/large HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
    let client = try WireClient(port: port, patience: .seconds(120))
    let answer = try client.request("/blobs/sha256/large")
    #expect(answer.status == 200 && answer.body == large)
    withExtendedLifetime(slow) { server.kill() }
    _ = await server.wait()
  }
}
