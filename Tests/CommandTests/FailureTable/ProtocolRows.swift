import Foundation
import SystemFiles
import StrictJSON
import TestSupport
import Testing

/// Rows F of the table of known failures: connections, protocols, names, limits.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ProtocolRows {
  @Test(.rows("F4"))
  func `after an answer that was given up nothing is misread`() async throws {
    let trio = try await Trio(.noRange)
    try await trio.leaveHalf()
    // Only honest ranges and the one whole stream may bring bytes.
    let outcome = try await trio.install(from: [trio.a.url])
    try trio.expectInstalled(outcome)
    #expect(try outcome.share(of: trio.a).faults["integrity"] == nil)
    let unfinished = trio.a.requests.filter { $0.range != nil }
    let whole = try #require(trio.a.requests.first { $0.range == nil })
    #expect(!unfinished.isEmpty)
    #expect(unfinished.allSatisfy { $0.connection != whole.connection })
  }

  @Test(.rows("F6"), .enabled(PrivateMounts.notice) { await PrivateMounts.areAllowed() })
  func `a name whose IPv6 address is closed is reached by its other one at once`() async throws {
    let trio = try await Trio()
    let command = trio.command(
      ["--allow-downgrade"],
      from: ["http://both.mirror.test:\(trio.a.port)"]
    )
    var seconds: [Double] = []
    for addresses in [["::1", "127.0.0.1"], ["127.0.0.1"]] {
      let names = addresses.map { (name: "both.mirror.test", address: $0) }
      let outcome = try await PrivateMounts.run(command, trio.home, names: names)
      try trio.expectInstalled(outcome)
      #expect(try outcome.events().allSatisfy { $0["kind"] != "transient" })
      seconds.append(outcome.wallSeconds)
      try trio.home.removeStore()
    }
    // Elsewhere the other address is tried after five seconds; the rest is room for a loaded machine.
    #expect(seconds[0] < 2 * seconds[1] + 3)
  }

  @Test(.rows("F7"), arguments: [Fault.statusTimes(3, status: 429), .statusTimes(3)])
  func `a throttled mirror is left alone for the second that it asks, and others go on`(
    fault: Fault
  ) async throws {
    let trio = try await Trio(fault)
    for mirror in [trio.b, trio.c] { mirror.rate = 1_200_000 }
    // With one connection, no request is on its way while another is answered.
    let outcome = try await trio.install(["--jobs", "1"])
    try trio.expectInstalled(outcome)
    let times = trio.a.requests.map(\.time)
    #expect(!times.isEmpty)
    for (earlier, later) in zip(times, times.dropFirst()).prefix(3) {
      #expect(later - earlier >= .seconds(1), "\(times)")
    }
    #expect(try outcome.share(of: trio.b).good + outcome.share(of: trio.c).good > 0)
  }

  @Test(.rows("F9"))
  func `a reset is met with another attempt, also where there is no other mirror`() async throws {
    let trio = try await Trio(.reset)
    let running = try trio.home.start(trio.command([], from: [trio.a.url]))
    #expect(await trio.a.wait { $0.count >= 2 })
    trio.a.set(.honest)
    try trio.expectInstalled(await running.wait())
  }

  @Test(.enabled(if: NginxMirror.isAvailable))
  func `a mirror is reached by its IPv6 address`() async throws {
    let trio = try await Trio()
    let path = TemporaryFolder.path("served")
    try Folder(creating: path, mode: 0o755)
      .replaceFile(Trio.file, with: Trio.content.bytes, mode: 0o644)
    let nginx = try await NginxMirror(folder: path, NginxOptions(isIPv6: true))
    try trio.expectInstalled(try await trio.install(from: [nginx.url]))
    await nginx.stop()
    #expect(try nginx.requests().reduce(0) { $0 + $1.bytes } >= Trio.size)
  }
}
