import Foundation
import StrictJSON
import TestSupport
import Testing

/// What the commands about installed versions do and show.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerStoreTests {
  private func release(_ version: String) -> ConsumerRelease {
    let seed = UInt64(version.utf8.reduce(0) { $0 + Int($1) })
    return ConsumerRelease(
      version: version,
      files: [
        "weights.bin": .random(100_000, seed: seed),
        "deep/er/notes.txt": .random(10, seed: 9, chunkLength: nil),
      ]
    )
  }

  private func home(_ versions: [String]) async throws -> ConsumerHome {
    let home = try await ConsumerHome.trusting()
    for version in versions { try await home.installed(release(version)) }
    return home
  }

  @Test(arguments: [["status"], ["list"], ["path", "acme/tiny"], ["doctor"]])
  func `what is installed is shown without a policy that can be read`(command: [String])
    async throws
  {
    let home = try await ConsumerHome.trusting()
    try await home.installed(home.sceneRelease("1.0.0"))
    try Data("{".utf8).write(to: URL(filePath: "\(home.configuration)/trust.json"))
    let outcome = try await home.run(command)
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.errors.contains("warning: nobody knows whether what is installed would be"))
    #expect(command == ["doctor"] || outcome.output.contains("1.0.0"), "\(outcome.output)")
  }

  @Test(arguments: [(["status"], "no models in "), (["list"], "no versions in ")])
  func `without a store there is nothing, and nothing is made`(
    command: [String],
    words: String
  ) async throws {
    let home = try ConsumerHome()
    let outcome = try await home.run(command)
    #expect(outcome.ending == .exited(0))
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors == "\(words)\(home.store)\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder) == ["release.pub"])
  }

  @Test func `versions are kept by rule: the active one and the one before`() async throws {
    let home = try await home(["1.0.0", "1.1.0", "1.2.0"])
    #expect(home.oracle().versions == ["1.1.0", "1.2.0"])
    let list = try await home.run(["list"])
    #expect(
      list.output == """
        MODEL      VERSION  STATE   NOTES
        acme/tiny  1.1.0    ready   previous
        acme/tiny  1.2.0    active

        """
    )
    let status = try await home.run(["status", "acme/tiny"])
    #expect(status.output == "acme/tiny: active 1.2.0\n  previous 1.1.0\n")
  }

  @Test func `status, list and gc --explain have the same words for the same things`() async throws
  {
    let home = try await home(["1.0.0", "1.1.0"])
    for command in [
      ["activate", "acme/tiny@1.0.0", "--trial", "2"], ["pin", "acme/tiny@1.1.0"],
      ["mark", "bad", "acme/tiny@1.1.0", "--reason", "slow"],
    ] {
      let outcome = try await home.run(command)
      try #require(outcome.ending == .exited(0), "\(outcome.errors)")
    }
    let list = try await home.run(["list"])
    #expect(
      list.output == """
        MODEL      VERSION  STATE   NOTES
        acme/tiny  1.0.0    active  on trial
        acme/tiny  1.1.0    ready   previous, pinned, marked bad

        """
    )
    let status = try await home.run(["status"]).output
    for words in [
      "active 1.0.0", "on trial, ", "previous 1.1.0", "pinned 1.1.0", "marked bad: slow",
    ] {
      #expect(status.contains(words), "\(status)")
    }
    let kept = try await home.run(["gc", "--explain", "--dry-run"]).output
    for words in ["stays: active", "stays: returns if the trial of the active version fails"] {
      #expect(kept.contains(words), "\(kept)")
    }
    let events = try await home.run(["list", "--json"]).events()
    let version = try #require(events.first { $0["version"] == "1.1.0" })
    #expect(version["state"] == "ready" && version["previous"] == true && version["bad"] == true)
  }

  @Test func `rollback goes back and forth, and activate goes anywhere allowed`() async throws {
    let home = try await home(["1.0.0", "1.1.0"])
    for (arguments, version) in [
      (["rollback", "acme/tiny"], "1.0.0"), (["rollback", "acme/tiny"], "1.1.0"),
      (["activate", "acme/tiny@1.0.0"], "1.0.0"), (["activate", "acme/tiny@1.0.0"], "1.0.0"),
      (["activate", "acme/tiny@1.1.0"], "1.1.0"),
    ] {
      let outcome = try await home.run(arguments)
      let active = try #require(try home.oracle().active())
      #expect(outcome.output == "\(active.path)\n", "\(outcome.errors)")
      #expect(outcome.errors == "acme/tiny \(version) is active\n")
      #expect(active.version == version)
      let link = "\(home.oracle().folder)/current"
      let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
      #expect(active.path.hasSuffix("/\(target)"))
    }
    #expect(try home.oracle().active()?.generation == 6)
  }

  @Test func `a release is prepared without becoming active`() async throws {
    let home = try await home(["1.0.0"])
    let next = release("1.1.0")
    let outcome = try await home.run([
      "install", try home.publish(next), "--mirror", try home.fileMirror(next), "--no-activate",
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.errors.contains("acme/tiny 1.1.0 is ready, signed by release "))
    #expect(try home.oracle().active()?.version == "1.0.0")
    #expect(outcome.output.contains("/versions/1.1.0-"))
    #expect(try await home.run(["list"]).output.contains("acme/tiny  1.1.0    ready\n"))
  }

  @Test func `a version or all of a model is removed, the active version not alone`() async throws {
    let home = try await home(["1.0.0", "1.1.0"])
    let one = try await home.run(["remove", "acme/tiny@1.0.0"])
    #expect(one.output == "removed acme/tiny 1.0.0\n")
    #expect(home.oracle().versions == ["1.1.0"])
    try await home.run(["rollback", "acme/tiny"])
      .expectRefusal(3, "no other version of acme/tiny was active before")
    let all = try await home.run(["remove", "acme/tiny"])
    #expect(all.output == "removed acme/tiny\n")
    #expect(home.oracle().versions.isEmpty)
    #expect(home.oracle().litter.isEmpty)
    #expect(try await home.run(["list"]).output.isEmpty)
  }

  @Test func `a file that changed after it was verified is noticed without reading it`()
    async throws
  {
    let home = try await home(["1.0.0", "1.1.0"])
    let path = try #require(try home.oracle().active()).path
    let file = "\(path)/weights.bin"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let status = try await home.run(["status"])
    #expect(
      status.output == """
        acme/tiny: failed 1.1.0
          previous 1.0.0
          1.1.0 has changed since it was verified: weights.bin

        """
    )
    let repaired = try await home.run(["activate", "acme/tiny@1.1.0"])
    #expect(repaired.ending == .exited(0), "\(repaired.errors)")
    #expect(try await home.run(["status"]).output.hasPrefix("acme/tiny: active 1.1.0\n"))
  }

  @Test func `a damaged version is not activated, and installing it again repairs it`() async throws
  {
    let home = try await home(["1.0.0", "1.1.0"])
    let folder = try #require(home.oracle().names(in: "versions").first)
    let file = "\(home.oracle().folder)/versions/\(folder)/files/weights.bin"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.seek(toOffset: 50_000)
    try handle.write(contentsOf: Data([1, 2, 3]))
    try handle.close()
    try await home.run(["rollback", "acme/tiny"]).expectRefusal(
      5,
      "version 1.0.0 in the store is damaged",
      note: "weights.bin differs in 1 chunk: bytes 0-99999",
      help: "sealift repair MODEL@1.0.0 makes it whole, and fetches only what is wrong"
    )
    #expect(try home.oracle().active()?.version == "1.1.0")
    let again = release("1.0.0")
    let outcome = try await home.run([
      "install", try home.publish(again), "--mirror", try home.fileMirror(again), "--no-activate",
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(
      outcome.errors.contains("warning: 1.0.0 is installed but damaged; it is fetched again\n")
    )
    let back = try await home.run(["rollback", "acme/tiny"])
    #expect(back.ending == .exited(0), "\(back.errors)")
    #expect(try home.oracle().active()?.version == "1.0.0")
  }

  @Test func `published files are read-only`() async throws {
    let home = try await home(["1.0.0"])
    let path = try #require(try home.oracle().active()).path
    for name in ["weights.bin", "deep/er/notes.txt"] {
      let facts = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
      #expect(facts[.posixPermissions] as? Int == 0o444)
    }
    for name in ["", "deep", "deep/er"] {
      let facts = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
      #expect(facts[.posixPermissions] as? Int == 0o555)
    }
  }
}
