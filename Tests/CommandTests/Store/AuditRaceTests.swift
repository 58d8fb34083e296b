import Foundation
import TestSupport
import Testing
import Verification

/// Audits beside everything that changes a store: none of it is ever told as damage.
@Suite(.temporaryFolder, .serialized, .timeLimit(.minutes(20)))
struct AuditRaceTests {
  /// The audits of a short run, and the time of a long one.
  private static let (shortRounds, longTime) = (8, Duration.seconds(60))

  @Test func `an audit beside installs, rollbacks and collections tells no damage`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(home.auditRelease("1.0.0"))
    let stop = StopFlag()
    let changes = try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask { try await Self.change(home, until: stop) }
      do {
        try await audit(home)
      } catch {
        stop.raise()
        throw error
      }
      stop.raise()
      return try await group.reduce(0, +)
    }
    print("changes beside the audits: \(changes)")
    #expect(changes > 0)
    #expect(try await home.run(["audit"]).ending == .exited(0))
  }

  /// Installs one version after the other, goes back and forth and collects, until it is told to end.
  private static func change(_ home: ConsumerHome, until stop: StopFlag) async throws -> Int {
    var changes = 0
    while !stop.isRaised {
      let version = "1.0.\(changes + 1)"
      let release = home.auditRelease(version)
      let commands = [
        ["install", try home.publish(release), "--mirror", try home.fileMirror(release)],
        ["rollback", "acme/tiny"], ["activate", "acme/tiny@\(version)"], ["gc", "--keep", "0"],
      ]
      for command in commands where !stop.isRaised {
        let outcome = try await home.run(command)
        #expect(outcome.ending == .exited(0), "\(command): \(outcome.errors)")
        changes += 1
      }
    }
    return changes
  }

  private func audit(_ home: ConsumerHome) async throws {
    let start = ContinuousClock.now
    var rounds = 0
    while SweepLength.isWhole
      ? start.duration(to: .now) < Self.longTime : rounds < Self.shortRounds
    {
      let mode = [["--full"], ["--quick"], ["--direct"], ["--sample", "60%"]][rounds % 4]
      let outcome = try await home.run(["audit"] + mode)
      #expect(outcome.ending == .exited(0), "\(outcome.output)\(outcome.errors)")
      #expect(!outcome.output.contains("\nerror: ") && !outcome.output.contains("\nwarning: "))
      rounds += 1
    }
  }
}
