import Foundation
import Manifests
import TestSupport
import Testing

/// What is told where results cannot be read, although the work is done.
@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct PublisherLostOutputTests {
  /// Runs a command of the publisher with its standard output led elsewhere by a shell.
  private func publish(
    _ arguments: String,
    after preparation: String = "",
    into target: String
  ) async throws -> ToolOutcome {
    var shell = Tool(path: "/bin/bash")
    shell.folder = TemporaryFolder.current
    let path = try Tool.built("sealift-publish").path
    return try await shell.run(["-c", "\(preparation) '\(path)' \(arguments) \(target)"])
  }

  @Test func `a full device is exit code 8, and the file that was written is named`() async throws {
    try await makeKey()
    try await buildManifest()
    let outcome = try await publish("sign m.json --key keys/release.key", into: "> /dev/full")
    #expect(outcome.exitCode == 8)
    #expect(
      outcome.errors.hasSuffix(
        """
        error: the results cannot be written to standard output
          note: No space left on device
          note: the command itself is done
          note: m.json was written
          help: sealift-publish explain outputFailed says more

        """
      ),
      "\(outcome.errors)"
    )
    #expect(try manifest().signatures.count == 1)
  }

  @Test(arguments: ["", " --json"])
  func `a pipe that nobody reads is no failure, and the file that was written is named`(
    option: String
  ) async throws {
    try await makeKey()
    try await buildManifest()
    let outcome = try await publish(
      "sign m.json --key keys/release.key\(option)",
      // The reader of the pipe has ended before the command begins.
      after: "exec 3> >(:); wait $!;",
      into: ">&3"
    )
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix("\nm.json was written\n"), "\(outcome.errors)")
    #expect(try manifest().signatures.count == 1)
  }
}
