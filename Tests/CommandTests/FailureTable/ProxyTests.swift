import Foundation
import SystemFiles
import TestSupport
import Testing

/// Installs through a real proxy.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)), .enabled(if: TinyProxy.isAvailable))
struct ProxyTests {
  @Test func `an http mirror is asked through the proxy of the environment`() async throws {
    let proxy = try await TinyProxy()
    var trio = try await Trio()
    trio = trio.withEnvironment(["http_proxy": proxy.url])
    try trio.expectInstalled(try await trio.install(from: [trio.a.url]))
    let lines = try proxy.requests()
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.hasPrefix("GET http://127.0.0.1:\(trio.a.port)/") }, "\(lines)")
  }

  @Test(.enabled(if: NginxMirror.isAvailable))
  func `an https mirror is reached through a tunnel, and credentials for the proxy stay there`()
    async throws
  {
    let proxy = try await TinyProxy(credentials: "reader:hunter2")
    let folder = try Folder(creating: TemporaryFolder.path("served"), mode: 0o755)
    try folder.replaceFile(Trio.file, with: Trio.content.bytes, mode: 0o644)
    let certificates = try await TestCertificates()
    let nginx = try await NginxMirror(
      folder: TemporaryFolder.path("served"),
      NginxOptions(certificates: certificates)
    )
    let url = "http://reader:hunter2@127.0.0.1:\(proxy.port)"
    let trio = try await Trio().withEnvironment(["https_proxy": url])
    let outcome = try await trio.install(
      ["--ca-bundle", certificates.authority],
      from: [nginx.url]
    )
    try trio.expectInstalled(outcome)
    #expect(try proxy.requests().allSatisfy { $0.hasPrefix("CONNECT 127.0.0.1:\(nginx.port) ") })
    await nginx.stop()
    #expect(try nginx.requests().allSatisfy { $0.authorization.isEmpty })
    #expect(!(outcome.errors + outcome.output).contains("hunter2"))
  }

  @Test func `a proxy that refuses is told as that`() async throws {
    let proxy = try await TinyProxy(credentials: "reader:hunter2")
    let trio = try await Trio().withEnvironment(["http_proxy": proxy.url])
    let outcome = try await trio.install(["--give-up", "1s"], from: [trio.a.url])
    #expect(outcome.ending == .exited(4), "\(outcome.errors)")
    #expect(outcome.errors.contains("access refused (407)"), "\(outcome.errors)")
    #expect(trio.a.requests.isEmpty)
  }
}
