import Foundation
import SystemFiles
import TestSupport
import Testing

/// Rows A18 and F1 of the table of known failures, and honest servers of HTTP/2.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct HTTP2Rows {
  /// The folder that a server of HTTP/2 offers.
  private func served() throws -> String {
    let path = TemporaryFolder.path("served")
    let folder = try Folder(creating: path, mode: 0o755)
    try folder.replaceFile(Trio.file, with: Trio.content.bytes, mode: 0o644)
    return path
  }

  @Test(
    .rows("A18", "F1"),
    .enabled(if: HTTP2Mirror.isAvailable, PythonEnvironment.notice),
    arguments: [
      HTTP2Mirror.Fault.refuseRanges, .reset(after: 100_000), .goAway(after: 100_000), .honest,
    ]
  )
  func `what a server of HTTP/2 does wrong is a fault of that mirror`(fault: HTTP2Mirror.Fault)
    async throws
  {
    let trio = try await Trio()
    trio.preferA()
    try await trio.leaveHalf()
    let certificates = try await TestCertificates()
    let bad = try await HTTP2Mirror(folder: served(), certificates, fault)
    let outcome = try await trio.install(
      ["--give-up", "5s", "--http2", "--ca-bundle", certificates.authority],
      from: [bad.url, trio.b.url, trio.c.url]
    )
    try trio.expectInstalled(outcome)
    let share = try outcome.share(of: bad.url)
    let requests = try bad.requests()
    switch fault {
    case .refuseRanges:
      #expect(share.faults["transient"] ?? 0 >= 1)
      #expect(share.good == 0)
    case .reset, .goAway: #expect(share.faults["transient"] ?? 0 >= 1)
    case .honest:
      #expect(share.faults == [:])
      #expect(share.good > 0)
    }
    #expect(!requests.isEmpty)
  }

  @Test(.enabled(if: NginxMirror.isAvailable))
  func `nginx serves by HTTP/2 where that is asked for, and by HTTP/1.1 where not`() async throws {
    let trio = try await Trio()
    let certificates = try await TestCertificates()
    let nginx = try await NginxMirror(
      folder: served(),
      NginxOptions(certificates: certificates, hasHTTP2: true)
    )
    let options = ["--ca-bundle", certificates.authority]
    try trio.expectInstalled(try await trio.install(options + ["--http2"], from: [nginx.url]))
    try trio.home.removeStore()
    try trio.expectInstalled(
      try await trio.install(options + ["--allow-downgrade"], from: [nginx.url])
    )
    await nginx.stop()
    let protocols = try nginx.requests().map(\.protocolName)
    #expect(protocols.first == "HTTP/2.0")
    #expect(protocols.last == "HTTP/1.1")
  }
}
