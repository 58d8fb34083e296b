import Foundation
import Glibc
import StrictJSON
import TestSupport
import Testing

/// Rows D of the table of known failures: the disk.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct DiskRows {
  @Test(.rows("D1"), .enabled("this process must not trace others", CallStriker.isAvailable))
  func `the first write that finds no space stops all, and the next run goes on`() async throws {
    let trio = try await Trio()
    let outcome = try await CallStriker(trio.home).run(
      trio.command(from: [trio.a.url]),
      [StrikeRule(.error(ENOSPC), "pwrite64", 8...1_000_000)]
    )
    #expect(outcome.ending == .exited(8), "\(outcome.errors)")
    #expect(outcome.errors.contains(": the disk is full\n"), "\(outcome.errors)")
    // It is not met with another request, as a fault of the network is.
    #expect(trio.a.requests.count <= 4)
    #expect(
      try outcome.events().allSatisfy { $0["event"] != "warning" || $0["kind"] == "plainHTTP" }
    )
    let held = try trio.heldBytes()
    let resumed = try await trio.install(from: [trio.a.url])
    try trio.expectInstalled(resumed)
    #expect(try resumed.share(of: trio.a).good == Trio.size - held)
  }

  @Test(.rows("D2"))
  func `what an interrupted install left is shown, counted and removed`() async throws {
    let trio = try await Trio()
    try await trio.home.installed(
      ConsumerRelease(version: "1.0.0", files: [Trio.file: .random(300_000)])
    )
    try await trio.leaveHalf()
    let status = try await trio.home.run(["status"])
    #expect(status.output.contains("candidate 1.1.0: "), "\(status.output)")
    let removed = try await trio.home.run(["remove", "acme/tiny"])
    #expect(removed.ending == .exited(0), "\(removed.errors)")
    #expect(trio.home.oracle().candidates.isEmpty)
  }
}
