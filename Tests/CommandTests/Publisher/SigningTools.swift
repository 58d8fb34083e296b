import Foundation
import TestSupport
import Testing

/// An ssh-agent of the running test, in its folder; it ends with the last reference to it.
final class SSHAgent: Sendable {
  let socket: String
  private let agent: RunningTool

  static var isInstalled: Bool { Tool.installed("ssh-agent") != nil }

  /// Starts it; `environment` is for the program that asks a person.
  init(environment: [String: String] = [:]) async throws {
    socket = TemporaryFolder.path("agent")
    var tool = try #require(Tool.installed("ssh-agent"))
    tool.isTiedToTests = true
    tool.timeout = .seconds(3600)
    for (name, value) in environment { tool.environment[name] = value }
    agent = try tool.start(["-D", "-a", socket])
    guard await agent.waitForOutput({ $0.contains("Agent pid") }) else {
      throw SupportError.notStarted("ssh-agent")
    }
  }

  /// What a program needs to find it.
  var environment: [String: String] { ["SSH_AUTH_SOCK": socket] }

  /// Makes a key of OpenSSH in the folder of the test, gives it to the agent, and returns its fingerprint.
  func addKey(_ name: String, kind: String = "ed25519", _ options: String...) async throws -> String
  {
    try await run("ssh-keygen", "-q", "-t", kind, "-N", "", "-C", name, "-f", name)
    try await run(environment: environment, "ssh-add", ["-q"] + options + [name])
    let line = try await run("ssh-keygen", "-lf", name + ".pub").output
    return try #require(line.split(separator: " ").dropFirst().first.map(String.init))
  }
}

/// A token of PKCS 11 in the folder of the running test, made by SoftHSM.
struct SoftToken: Sendable {
  /// What each program needs to find it, and to open it.
  let environment: [String: String]
  private let words: [String]

  init() async throws {
    let tokens = TemporaryFolder.path("tokens")
    try FileManager.default.createDirectory(atPath: tokens, withIntermediateDirectories: false)
    try place(
      Array("directories.tokendir = \(tokens)\nlog.level = ERROR\n".utf8),
      at: "softhsm2.conf"
    )
    environment = ["SOFTHSM2_CONF": TemporaryFolder.path("softhsm2.conf"), "TOKEN_PIN": "1234"]
    words =
      ["--module", "/usr/lib/softhsm/libsofthsm2.so", "--token-label", "rel"]
      + ["--login", "--pin", "env:TOKEN_PIN"]
    try await CommandTests.run(
      environment: environment,
      "softhsm2-util",
      ["--init-token", "--free", "--label", "rel", "--pin", "1234", "--so-pin", "5678"]
    )
  }

  /// Runs pkcs11-tool with the token open.
  func run(_ arguments: [String]) async throws {
    try await CommandTests.run(environment: environment, "pkcs11-tool", words + arguments)
  }

  /// Puts the private key in a file of PKCS 8 into the token.
  func take(_ path: String, passphrase: String, id: String) async throws {
    try await CommandTests.run(
      environment: environment,
      "softhsm2-util",
      ["--import", path, "--file-pin", passphrase, "--token", "rel", "--pin", "1234"]
        + ["--label", "taken", "--id", id]
    )
  }

  /// The command that signs with a key of the token, for `--signer`.
  func signer(id: String) -> String {
    (["pkcs11-tool"] + words + ["--sign", "--mechanism", "EDDSA", "--id", id]
      + ["--input-file", "/dev/stdin"]).joined(separator: " ")
  }
}

/// Runs an installed program in the folder of the running test; it must end with 0.
@discardableResult
func run(_ program: String, _ arguments: String...) async throws -> ToolOutcome {
  try await run(environment: [:], program, arguments)
}

@discardableResult
func run(
  environment: [String: String],
  _ program: String,
  _ arguments: [String]
) async throws -> ToolOutcome {
  var tool = try #require(Tool.installed(program), "\(program) is not installed")
  tool.folder = TemporaryFolder.current
  for (name, value) in environment { tool.environment[name] = value }
  let outcome = try await tool.run(arguments)
  try #require(outcome.exitCode == 0, "\(program) \(arguments): \(outcome.errors)")
  return outcome
}

/// Writes a shell script beneath the folder of the running test, for its owner to run.
func placeScript(_ text: String, at name: String) throws {
  try place(Array("#!/bin/sh\n\(text)\n".utf8), at: name)
  try FileManager.default.setAttributes(
    [.posixPermissions: 0o755],
    ofItemAtPath: TemporaryFolder.path(name)
  )
}

/// Starts the built `sealift-publish` in the folder of the running test, so that signals reach it.
func startPublisher(
  _ arguments: [String],
  environment: [String: String] = [:]
) throws -> RunningTool {
  var tool = try Tool.built("sealift-publish")
  tool.folder = TemporaryFolder.current
  for (name, value) in environment { tool.environment[name] = value }
  return try tool.start(arguments)
}
