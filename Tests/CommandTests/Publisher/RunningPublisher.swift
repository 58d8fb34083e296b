import CommandLineKit
import Foundation
import Manifests
import StrictJSON
import TestSupport
import Testing

/// Runs the built `sealift-publish` in the folder of the running test, without a terminal.
func publish(
  _ arguments: String...,
  environment: [String: String] = [:],
  input: [UInt8] = []
) async throws -> ToolOutcome {
  try await publish(arguments, environment: environment, input: input)
}

func publish(
  _ arguments: [String],
  environment: [String: String] = [:],
  input: [UInt8] = []
) async throws -> ToolOutcome {
  // setsid takes the terminal away, so that nothing waits for a passphrase.
  var tool = try #require(Tool.installed("setsid"))
  tool.folder = TemporaryFolder.current
  for (name, value) in environment { tool.environment[name] = value }
  let path = try Tool.built("sealift-publish").path
  return try await tool.run(["--wait", path] + arguments, input: input)
}

/// Writes a file beneath the folder of the running test, with the folders on the way.
func place(_ bytes: [UInt8], at name: String) throws {
  let url = URL(filePath: TemporaryFolder.path(name))
  try FileManager.default.createDirectory(
    at: url.deletingLastPathComponent(),
    withIntermediateDirectories: true
  )
  try Data(bytes).write(to: url)
}

/// The bytes of a file beneath the folder of the running test.
func contents(_ name: String) throws -> [UInt8] {
  try Array(Data(contentsOf: URL(filePath: TemporaryFolder.path(name))))
}

/// Whether something stands at this path beneath the folder of the running test.
func isThere(_ name: String) -> Bool {
  FileManager.default.fileExists(atPath: TemporaryFolder.path(name))
}

/// Makes the pair `keys/NAME.key` and `keys/NAME.pub` without a passphrase; returns the fingerprint.
@discardableResult
func makeKey(_ name: String = "release") async throws -> String {
  let outcome = try await publish("key", "new", name, "--no-passphrase")
  try #require(outcome.exitCode == 0, "\(outcome.errors)")
  return outcome.output.trimmingCharacters(in: .newlines)
}

/// Builds `m.json` of one small GGUF file, `model.gguf`, with a fixed time.
func buildManifest(_ options: String..., version: String = "1.0.0") async throws {
  try place(SampleModel.gguf(), at: "model.gguf")
  let outcome = try await publish(
    [
      "build", "model.gguf", "--model", "acme/tiny", "--version", version, "--output", "m.json",
      "--released", "2026-11-30T00:00:00Z", "--mirror", "https://example.com/{sha256}",
    ] + options
  )
  try #require(outcome.exitCode == 0, "\(outcome.errors)")
}

/// Builds `m.json` and signs it with a new key, `keys/release.key`.
func buildSignedManifest(_ options: String...) async throws {
  try await makeKey()
  try place(SampleModel.gguf(), at: "model.gguf")
  let built = try await publish(
    [
      "build", "model.gguf", "--model", "acme/tiny", "--version", "1.0.0", "--output", "m.json",
      "--mirror", "https://example.com/{sha256}",
    ] + options
  )
  try #require(built.exitCode == 0, "\(built.errors)")
  let signed = try await publish("sign", "m.json", "--key", "keys/release.key")
  try #require(signed.exitCode == 0, "\(signed.errors)")
}

extension ToolOutcome {
  /// The JSON objects of the output, a line each.
  func events() throws -> [JSONObject] {
    try output.split(separator: "\n").map { line in
      guard case .object(let object) = try JSONReader.parse(Array(line.utf8)) else {
        throw NoObject()
      }
      return object
    }
  }

  struct NoObject: Error {}

  /// The last event, which every run with `--json` ends with.
  func summary() throws -> JSONObject {
    let last = try #require(try events().last)
    #expect(last["event"] == "summary")
    return last
  }
}

/// A copy of the manifest in `m.json`.
func manifest() throws -> Envelope { try Envelope(parsing: try contents("m.json")) }
