import Foundation
import Manifests
import TestSupport
import Testing

/// The runtimes that a client states: typed, in its configuration, inside applications, and probed.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerRuntimeTests {
  @Test func `one runtime is stated in two words or in one`() async throws {
    let home = try ConsumerHome()
    #expect(try await home.run(["runtime", "set", "llama.cpp", "b10573"]).ending == .exited(0))
    #expect(try await home.run(["runtime", "set", "onnxruntime=1.32.0"]).ending == .exited(0))
    let list = try await home.run(["runtime", "list"])
    #expect(list.output == "llama.cpp=b10573\nonnxruntime=1.32.0\n")
  }

  @Test(arguments: [
    ["llama.cpp", "new"], ["llama.cpp="], ["llama.cpp=unknown"], ["llama.cpp=b0-unknown"],
    ["llama.cpp", "0"], ["llama.cpp"], ["llama.cpp", "b1", "b2"], ["Llama=1.0"],
    ["a=1.0", "b=1.0", "--provides", "llama.cpp=b1"],
    ["a=1.0", "--provides", "llama.cpp=new"],
  ])
  func `a version that says nothing is refused, and nothing is stated`(words: [String]) async throws
  {
    let home = try ConsumerHome()
    let outcome = try await home.run(["runtime", "set"] + words)
    #expect(outcome.ending == .exited(2), "\(outcome.errors)")
    #expect(try await home.run(["runtime", "list"]).output.isEmpty)
  }

  @Test func `an application states what it embeds, and keeps it while others change`() async throws
  {
    let home = try ConsumerHome()
    let set = ["runtime", "set", "myapp=3.1", "--provides", "llama.cpp=b10488"]
    #expect(try await home.run(set).output == "myapp is 3.1, with llama.cpp b10488\n")
    #expect(try await home.run(["runtime", "set", "onnxruntime=1.32.0"]).ending == .exited(0))
    let list = try await home.run(["runtime", "list"])
    #expect(list.output == "myapp=3.1\nonnxruntime=1.32.0\nllama.cpp=b10488\n")
  }

  private func program(_ name: String, _ script: String) throws -> String {
    let path = TemporaryFolder.path(name)
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  @Test func `a program is asked for its version`() async throws {
    let home = try ConsumerHome()
    let server = try program(
      "llama-server",
      "[ \"$1\" = --version ] && echo 'version: 0.2.0-dev (build 10573, commit abc)' >&2"
    )
    let probe = try await home.run(["runtime", "probe", server])
    #expect(probe.output == "llama.cpp is 0.2.0-dev (build 10573, commit abc)\n", "\(probe.errors)")
    let list = try await home.run(["runtime", "list"])
    #expect(list.output == "llama.cpp=0.2.0-dev (build 10573, commit abc)\n")
  }

  @Test func `a program that tells nothing states nothing`() async throws {
    let home = try ConsumerHome()
    let silent = try program("llama-cli", "echo 'version: 0 (unknown)'")
    #expect(try await home.run(["runtime", "probe", silent]).ending == .exited(9))
    let endless = try program("llama-bench", "while :; do :; done")
    let outcome = try await home.run(["runtime", "probe", endless])
    #expect(outcome.ending == .exited(8))
    #expect(outcome.errors.contains("did not end within 5 seconds"), "\(outcome.errors)")
    #expect(try await home.run(["runtime", "probe", "llama-cli"]).ending == .exited(2))
    for absent in ["/nonexistent/other", "/nonexistent/llama-server"] {
      let outcome = try await home.run(["runtime", "probe", absent])
      outcome.expectRefusal(3, "there is no \(absent)")
    }
    let other = try program("other", "echo 1.2.3")
    #expect(try await home.run(["runtime", "probe", other]).ending == .exited(2))
    let named = try await home.run(["runtime", "probe", other, "--name", "engine"])
    #expect(named.output == "engine is 1.2.3\n")
  }
}
