import Foundation
import Manifests
import Signatures
import TestSupport
import Testing

/// Signing by a real ssh-agent, which each test starts for itself.
@Suite(.temporaryFolder, .enabled(if: SSHAgent.isInstalled, "needs ssh-agent"))
struct PublisherAgentTests {
  private func sign(_ fingerprint: String, _ agent: SSHAgent, _ options: String...) async throws
    -> ToolOutcome
  {
    try await publish(
      ["sign", "m.json", "--ssh-agent", fingerprint] + options,
      environment: agent.environment
    )
  }

  @Test func `the agent signs, and openssl and the verifier take it`() async throws {
    let agent = try await SSHAgent()
    _ = try await agent.addKey("other")
    let name = try await agent.addKey("release")
    try await buildManifest()
    let outcome = try await sign(name, agent)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output == "signed by \(name)\n")
    #expect(try manifest().signatures.map(\.keyID) == [name])
    let verified = try await publish("verify", "m.json", "--key", "release.pub")
    #expect(verified.output.contains("accepted acme/tiny 1.0.0: 1 of 1 key signed, 1 needed\n"))
    // The same key from its file signs the same bytes: Ed25519 has no chance in it.
    try await buildManifestAgain("n.json")
    let file = try await publish("sign", "n.json", "--key", "release")
    #expect(file.exitCode == 0, "\(file.errors)")
    #expect(try contents("n.json") == contents("m.json"))
    let again = try await sign(name, agent)
    #expect(again.exitCode == 2)
    withExtendedLifetime(agent) {}
  }

  private func buildManifestAgain(_ output: String) async throws {
    let built = try await publish(
      "build",
      "model.gguf",
      "--model",
      "acme/tiny",
      "--version",
      "1.0.0",
      "--output",
      output,
      "--released",
      "2026-11-30T00:00:00Z",
      "--mirror",
      "https://example.com/{sha256}"
    )
    try #require(built.exitCode == 0)
  }

  @Test func `a key that is not in the agent is told with those that are, escaped`() async throws {
    let agent = try await SSHAgent()
    let name = try await agent.addKey("rsa", kind: "rsa")
    let unknown = "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8"
    try await buildManifest()
    let before = try contents("m.json")
    let outcome = try await sign(unknown, agent)
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.errors.hasSuffix(
        """
        error: the ssh-agent has no key \(unknown)
          note: it has \(name) ssh-rsa rsa
          help: none of them is an Ed25519 key: ssh-add FILE adds one

        """
      ),
      "\(outcome.errors)"
    )
    let unfit = try await sign(name, agent)
    #expect(unfit.exitCode == 2)
    #expect(unfit.errors.contains("is of the kind ssh-rsa, not ssh-ed25519"))
    #expect(try contents("m.json") == before)
    withExtendedLifetime(agent) {}
  }

  @Test func `a locked agent, and one that says no, are told`() async throws {
    try placeScript("exit 1", at: "ask")
    let agent = try await SSHAgent(environment: [
      "SSH_ASKPASS": TemporaryFolder.path("ask"), "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": ":0",
    ])
    let name = try await agent.addKey("release", "-c")
    try await buildManifest()
    let refused = try await sign(name, agent)
    #expect(refused.exitCode == 8)
    #expect(refused.errors.contains("error: the ssh-agent refused to give a signature\n"))
    #expect(try manifest().signatures.isEmpty)
    withExtendedLifetime(agent) {}
  }

  @Test func `a key that asks a person is waited for, and Ctrl-C ends the wait`() async throws {
    try placeScript("touch '\(TemporaryFolder.path("asked"))'; exec sleep 600", at: "ask")
    let agent = try await SSHAgent(environment: [
      "SSH_ASKPASS": TemporaryFolder.path("ask"), "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": ":0",
    ])
    let name = try await agent.addKey("release", "-c")
    try await buildManifest()
    let before = try contents("m.json")
    let running = try startPublisher(
      ["sign", "m.json", "--ssh-agent", name],
      environment: agent.environment
    )
    #expect(try await eventually { isThere("asked") })
    #expect(running.isRunning)
    running.interrupt()
    let outcome = await running.wait()
    #expect(outcome.exitCode == 130, "\(outcome.errors)")
    #expect(outcome.errors.contains("the manifest was not changed"))
    #expect(try contents("m.json") == before)
    withExtendedLifetime(agent) {}
  }

  @Test func `a manifest that is too long for an agent says what to do`() async throws {
    let agent = try await SSHAgent()
    let name = try await agent.addKey("release")
    // Each quote takes two bytes in the manifest.
    let quotes = String(repeating: "\"", count: 120_000)
    try await buildManifest("--notes", quotes, "--title", "x" + quotes.prefix(20_000))
    let outcome = try await sign(name, agent)
    #expect(outcome.exitCode == 9)
    #expect(outcome.errors.contains("and an ssh-agent takes less than 262144\n"))
    try await buildManifest("--notes", quotes)
    #expect(try await sign(name, agent).exitCode == 0)
    withExtendedLifetime(agent) {}
  }

  @Test(arguments: [nil, "", "/nonexistent/agent", "/etc/hostname"])
  func `without an agent nothing is signed`(socket: String?) async throws {
    try await buildManifest()
    let outcome = try await publish(
      [
        "sign", "m.json", "--ssh-agent", "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8",
      ],
      environment: ["SSH_AUTH_SOCK": socket ?? ""]
    )
    #expect(outcome.exitCode == (socket ?? "" == "" ? 2 : 8))
    #expect(outcome.errors.contains("ssh-agent"))
  }
}
