import Foundation
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder, .timeLimit(.minutes(5)), .enabled(if: NginxMirror.isAvailable))
struct NginxMirrorTests {
  let bytes = SampleBytes(seed: 4)

  private func serve(
    _ count: Int = 100_000,
    _ options: NginxOptions = NginxOptions()
  ) async throws -> NginxMirror {
    try bytes.write(count, to: TemporaryFolder.path("a.gguf"))
    return try await NginxMirror(folder: TemporaryFolder.current, options)
  }

  @Test func `files and ranges come, and the log can be read after a kill`() async throws {
    let mirror = try await serve()
    let client = try WireClient(port: mirror.port)
    #expect(try Long(client.request("/a.gguf").body) == Long(bytes.prefix(100_000)))
    let part = try client.request("/a.gguf", ["Range: bytes=5-9", "Authorization: \"q\" \\"])
    #expect(Long(part.body) == Long(bytes[5..<10]))
    #expect(await mirror.stop().ending == .signalled(9))
    let records = try mirror.requests()
    #expect(records.map(\.status) == [200, 206])
    #expect(records.map(\.bytes) == [100_000, 5])
    #expect(records.map(\.range) == ["", "bytes=5-9"])
    #expect(records.map(\.path) == ["/a.gguf", "/a.gguf"])
    #expect(records.last?.authorization == "\"q\" \\")
    #expect(records.map(\.isComplete) == [true, true])
  }

  @Test func `a file beyond 2 GiB is served from any place`() async throws {
    let file = try OpenFile(creating: TemporaryFolder.path("big"), mode: 0o644)
    let size = 2 << 30
    try file.setSize(size + 5)
    try file.write([1, 2, 3].span, at: size)
    let mirror = try await NginxMirror(folder: TemporaryFolder.current)
    let answer = try WireClient(port: mirror.port).request("/big", ["Range: bytes=\(size - 1)-"])
    #expect(answer.body == [0, 1, 2, 3, 0, 0])
    #expect(answer.value("Content-Range") == "bytes \(size - 1)-\(size + 4)/\(size + 5)")
  }

  @Test func `its end frees the port and leaves no process`() async throws {
    var mirror: NginxMirror? = try await serve()
    let process = try #require(mirror?.process)
    await mirror?.stop()
    mirror = nil
    #expect(residentPeak(of: "\(process)") == nil)
  }

  @Test func `options are obeyed`() async throws {
    let ranges = try await serve(100_000, NginxOptions(maxRanges: 0))
    let whole = try WireClient(port: ranges.port).request("/a.gguf", ["Range: bytes=5-9"])
    #expect(whole.status == 200)
    let folder = TemporaryFolder.current
    let refusing = try await NginxMirror(folder: folder, NginxOptions(status: 503))
    #expect(try WireClient(port: refusing.port).request("/a.gguf").status == 503)
    let gzip = try await NginxMirror(folder: folder, NginxOptions(hasGzip: true))
    let coded = try WireClient(port: gzip.port)
      .request("/a.gguf", ["Accept-Encoding: gzip", "Connection: close"])
    #expect(coded.value("Content-Encoding") == "gzip")
    let slow = try await NginxMirror(folder: folder, NginxOptions(limitRate: 50_000))
    let start = ContinuousClock.now
    _ = try WireClient(port: slow.port).request("/a.gguf")
    #expect(ContinuousClock.now - start > .milliseconds(800))
  }

  @Test func `a redirect keeps the path`() async throws {
    let options = NginxOptions(redirects: ["/old": "http://127.0.0.1:9"])
    let mirror = try await serve(10, options)
    let client = try WireClient(port: mirror.port)
    let answer = try client.request("/old/a?q=1")
    #expect(answer.status == 302)
    #expect(answer.value("Location") == "http://127.0.0.1:9/old/a?q=1")
    #expect(try client.request("/a.gguf").status == 200)
  }

  @Test func `a wrong configuration is told in nginx's words`() async throws {
    do {
      _ = try await serve(10, NginxOptions(limitRate: -1))
      Issue.record("nginx took a negative rate")
    } catch SupportError.programFailed(let name, let message) {
      #expect(name == "nginx")
      #expect(message.contains("limit_rate"))
    }
  }

  @Test(.enabled(if: Tool.installed("openssl") != nil))
  func `TLS is spoken with the given certificate`() async throws {
    let certificates = try await TestCertificates()
    let mirror = try await serve(1000, NginxOptions(certificates: certificates))
    #expect(mirror.url("a.gguf") == "https://127.0.0.1:\(mirror.port)/a.gguf")
    let openssl = try #require(Tool.installed("openssl"))
    let outcome = try await openssl.run(
      [
        "s_client", "-quiet", "-verify_return_error", "-CAfile", certificates.authority,
        "-verify_ip", "127.0.0.1", "-connect", "127.0.0.1:\(mirror.port)",
      ],
      input: Array("GET /a.gguf HTTP/1.0\r\n\r\n".utf8)
    )
    #expect(Long(outcome.standardOutput.suffix(1000)) == Long(bytes.prefix(1000)))
  }
}
