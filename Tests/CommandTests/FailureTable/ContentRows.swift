import StrictJSON
import TestSupport
import Testing

/// Rows C of the table of known failures: pages, proxies, wrong content.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ContentRows {
  @Test(.rows("C1", "C2"), arguments: [Fault.html, .truncatedWithoutLength, .zeros])
  func `what every mirror sends in place of the file is never installed`(fault: Fault)
    async throws
  {
    let trio = try await Trio(fault)
    trio.b.set(fault)
    trio.c.set(fault)
    let outcome = try await trio.install(["--give-up", "1s"])
    #expect([4, 5].contains(outcome.exitCode), "\(outcome.errors)")
    if fault == .html {
      #expect(outcome.exitCode == 4)
      #expect(outcome.errors.contains("mirror sent text/html, first bytes \"<!DOCTYPE html>"))
    }
    #expect(trio.home.oracle().versions == [])
    #expect(try await trio.home.run(["path", "acme/tiny"]).exitCode == 3)
    let list = try await trio.home.run(["list", "--json"])
    #expect(try list.events().allSatisfy { $0["event"] != "version" || $0["state"] != "active" })
  }

  @Test(.rows("C3"))
  func `a mirror in maintenance is told by its page, and others serve`() async throws {
    let trio = try await Trio(.html)
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    #expect(
      try outcome.warnings(about: trio.a.url).contains { $0.contains("mirror sent text/html") }
    )
    #expect(trio.a.requests.count <= 4)
  }

  @Test(.rows("C4"))
  func `where every mirror refuses access the run ends soon, with a line for each`() async throws {
    let trio = try await Trio(.status(403))
    trio.b.set(.status(403))
    trio.c.set(.status(401))
    let outcome = try await trio.install([])
    #expect(outcome.ending == .exited(4), "\(outcome.errors)")
    #expect(outcome.wallSeconds < 60)
    for mirror in [trio.a, trio.b, trio.c] {
      #expect(outcome.errors.contains("  note: \(mirror.url)/{name}: 0 bytes right"))
    }
    let error = try #require(try outcome.events().last { $0["event"] == "error" })
    #expect(error["kind"] == "auth")
  }

  @Test(.rows("C5"))
  func `a coded body is refused by its header and never read`() async throws {
    let trio = try await Trio(.gzip)
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    let share = try outcome.share(of: trio.a)
    #expect(share.good == 0 && share.wasted == 0)
    #expect(
      try outcome.warnings(about: trio.a.url).contains { $0.contains("body is coded as gzip") }
    )
  }
}
