import Foundation
import TestSupport
import Testing

/// What was typed wrong, and what is not there.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerUsageTests {
  @Test(
    arguments: [
      (["instal", "x.json"], "unknown command \"instal\""),
      (["install"], "WHAT is missing"),
      (["install", "--frobnicate", "x.json"], "unknown option --frobnicate"),
      (["install", "x.json", "y.json"], "unexpected argument \"y.json\""),
      (["install", "x.json", "--jobs", "none"], "--jobs: "),
      (["install", "x.json", "--jobs", "0"], "--jobs: "),
      (["install", "x.json", "--limit-rate", "0"], "--limit-rate: "),
      (["install", "x.json", "--mirror", "gopher://a/{name}"], "--mirror: "),
      (["install", "x.json", "--mirror"], "--mirror needs a value"),
      (["install", "x.json", "--give-up", "soon"], "--give-up: "),
      (["install", "x.json", "--give-up", "0"], "--give-up: "),
      (["install", "x.json", "--give-up", "0s"], "--give-up: "),
      (["install", "Not A Model"], "WHAT: "),
      (["install", "ftp://a/m.json"], "WHAT: a manifest cannot be fetched by ftp"),
      (["verify", ".", "--manifest", "ftp://a/m.json"], "--manifest: a manifest cannot be"),
      (["status", "../../etc"], "MODEL: "),
      (["activate", "acme/tiny"], "MODEL@VERSION: \"acme/tiny\" has no version"),
      (["activate", "acme/tiny@one"], "MODEL@VERSION: "),
      (["trust", "add", "k.pub"], "--models is missing"),
      (["trust", "add", "k.pub", "--models", "a/*/b"], "--models: "),
      (["trust", "add", "k.pub", "--models", "*", "--threshold", "0"], "--threshold: "),
      (["trust"], ""),
      (["--color", "blue", "status"], "--color: "),
      (["--quiet", "--verbose", "status"], "quiet and verbose exclude each other"),
    ] as [([String], String)]
  )
  func `a wrong command line is exit code 2 and says what is wrong`(
    arguments: [String],
    message: String
  ) async throws {
    let home = try ConsumerHome()
    let outcome = try await home.tool.run(arguments)
    let line = try #require(outcome.errorLines.first, "\(outcome.errors)")
    outcome.expectRefusal(2, String(line.dropFirst(7)))
    #expect(line.hasPrefix("error: \(message)"), "\(line)")
    #expect(outcome.errors.contains("  help: "))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder) == ["release.pub"])
  }

  @Test func `a command that is nearly right is suggested`() async throws {
    let outcome = try await ConsumerHome().tool.run(["instal"])
    #expect(outcome.errors.contains("install"), "\(outcome.errors)")
  }

  @Test func `no command at all shows the commands on standard error`() async throws {
    let outcome = try await ConsumerHome().tool.run([])
    #expect(outcome.ending == .exited(2))
    #expect(outcome.output.isEmpty)
    for command in ["install", "trust add", "rollback", "verify"] {
      #expect(outcome.errors.contains(command))
    }
  }

  @Test(arguments: [
    ["status", "acme/none"], ["path", "acme/none"], ["rollback", "acme/none"],
    ["remove", "acme/none"], ["activate", "acme/none@1.0.0"],
  ])
  func `an unknown model is exit code 3, with or without a store`(
    arguments: [String]
  ) async throws {
    let home = try await ConsumerHome.trusting()
    let message = "acme/none is not in the store"
    try await home.run(arguments).expectRefusal(3, message, help: "sealift list shows what is")
    #expect(!FileManager.default.fileExists(atPath: home.store))
    try await home.installed(ConsumerRelease(files: ["a.bin": .random(1000)]))
    try await home.run(arguments).expectRefusal(3, message, help: "sealift list shows what is")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(home.store)/models") == ["acme+tiny"]
    )
  }

  @Test(
    arguments: [
      (["activate", "acme/tiny@2.0.0"], 3, "acme/tiny 2.0.0 is not in the store"),
      (["remove", "acme/tiny@2.0.0"], 3, "acme/tiny 2.0.0 is not in the store"),
      (["rollback", "acme/tiny"], 3, "no other version of acme/tiny was active before"),
      (["remove", "acme/tiny@1.0.0"], 2, "acme/tiny 1.0.0 is active and is not removed alone"),
      (["install", "acme/tiny"], 3, "no repository provides acme/tiny"),
    ] as [([String], Int, String)]
  )
  func `an unknown version or step is refused and changes nothing`(
    arguments: [String],
    exit: Int,
    message: String
  ) async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(ConsumerRelease(files: ["a.bin": .random(1000)]))
    let before = try home.oracle().active()
    try await home.run(arguments).expectRefusal(exit, message, help: "")
    #expect(try home.oracle().active() == before)
  }

  @Test func `a manifest file that is not there is exit code 3`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.run(["install", "\(home.folder)/none.json"])
      .expectRefusal(3, "there is no \(home.folder)/none.json")
  }

  @Test func `a path through a file is a local failure`() async throws {
    let home = try await ConsumerHome.trusting()
    let path = "\(home.keyFile)/none.json"
    try await home.run(["install", path]).expectRefusal(8, "\(path) cannot be reached")
  }

  @Test func `a manifest without a mirror asks for one`() async throws {
    let home = try await ConsumerHome.trusting()
    let manifest = try home.publish(ConsumerRelease(files: ["a.bin": .random(1000)]))
    try await home.run(["install", manifest])
      .expectRefusal(2, "the manifest names no mirror", help: "--mirror TEMPLATE names one")
  }

  @Test func `a key file that is not there is exit code 3`() async throws {
    let home = try ConsumerHome()
    try await home.run(["trust", "add", "none.pub", "--models", "*"])
      .expectRefusal(3, "there is no none.pub")
  }

  @Test func `a manifest that is a folder is refused`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.run(["install", home.folder + "/"])
      .expectRefusal(8, "\(home.folder)/ is a folder")
  }
}
