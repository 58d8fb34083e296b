import Foundation
import ReleaseSimulator
import TestSupport
import Testing
import Trust

/// A client and a repository that says which release is current.
@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct ConsumerRepositoryTests {
  /// A client without trust of its own, and a repository for `acme/*` with these releases.
  private func pair(
    _ versions: String...
  ) async throws -> (home: ConsumerHome, repository: ConsumerRepository) {
    let (home, repository) = try ConsumerRepository.withClient(versions)
    try await add(repository, to: home)
    return (home, repository)
  }

  private func add(
    _ repository: ConsumerRepository,
    to home: ConsumerHome,
    _ more: String...
  ) async throws {
    let added = try await home.run(
      [
        "repo", "add", repository.url, "--root", repository.rootFile(), "--models", "acme/*",
        "--name", "acme",
      ] + more
    )
    #expect(added.ending == .exited(0), "\(added.errors)")
  }

  private func active(_ home: ConsumerHome) async throws -> String {
    try await home.run(["status", "acme/tiny"]).output.split(separator: "\n").first
      .map(String.init) ?? ""
  }

  @Test func `a model is installed by its name, and updated to what comes after`() async throws {
    var (home, repository) = try await pair("1.0.0")
    let installed = try await home.run(["install", "acme/tiny"])
    #expect(installed.ending == .exited(0), "\(installed.errors)")
    #expect(try await active(home) == "acme/tiny: active 1.0.0")
    let current = try await home.run(["outdated"])
    #expect(current.ending == .exited(0), "\(current.errors)")

    try repository.add(ConsumerRelease.seeded("1.1.0"))
    let outdated = try await home.run(["outdated"])
    #expect(outdated.ending == .exited(10), "\(outdated.errors)")
    #expect(outdated.output.contains("1.1.0 is newer in the channel stable"))
    let updated = try await home.run(["update"])
    #expect(updated.ending == .exited(0), "\(updated.errors)")
    #expect(try await active(home) == "acme/tiny: active 1.1.0")
    #expect(try await home.run(["outdated"]).ending == .exited(0))
  }

  @Test func `a pattern is reserved at once, offline, and a bare key is refused for it`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let mirror = try home.fileMirror(ConsumerRelease.seeded("1.0.0"))
    let manifest = try home.publish(ConsumerRelease.seeded("1.0.0"))
    let repository = try ConsumerRepository("\(home.folder)/r", signer: home.signer(named: "its"))
    try await add(repository, to: home)
    try await home.run(["install", manifest, "--mirror", mirror]).expectRefusal(
      6,
      "acme/tiny belongs to the repository acme, which has not been asked yet",
      note: "keys that the trust policy here names do not count for it",
      help: "sealift repo update"
    )
    #expect(try await home.run(["repo", "update"]).ending == .exited(0))
    let check = try await home.run(["trust", "check", manifest])
    #expect(check.ending == .exited(6), "\(check.errors)")
    #expect(check.output.contains("acme/tiny 1.0.0: refused, belongs to the repository acme"))
    for command in [
      ["install", manifest, "--mirror", mirror],
      ["verify", "\(home.folder)/blobs", "--manifest", manifest],
    ] {
      try await home.run(command).expectRefusal(
        6,
        "acme/tiny belongs to the repository acme, and none of its keys has signed"
      )
    }
    let removed = try await home.run(["repo", "remove", "acme"])
    #expect(removed.ending == .exited(0), "\(removed.errors)")
    let again = try await home.run(["install", manifest, "--mirror", mirror])
    #expect(again.ending == .exited(0), "\(again.errors)")
  }

  @Test func `what was installed by a bare key is refused wherever the policy is asked`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    try await home.installed(ConsumerRelease.seeded("1.0.0"))
    let repository = try ConsumerRepository("\(home.folder)/r", signer: home.signer(named: "its"))
    let added = try await home.run([
      "repo", "add", repository.url, "--root", repository.rootFile(), "--models", "acme/*",
    ])
    #expect(added.ending == .exited(0) && added.errors.contains("acme/tiny 1.0.0 is active"))
    for command in [
      ["activate", "acme/tiny@1.0.0"], ["exec", "acme/tiny", "--", "true"],
      ["repair", "acme/tiny"],
    ] {
      let refused = try await home.run(command)
      #expect(refused.ending == .exited(6), "\(command): \(refused.errors)")
      #expect(refused.errors.contains("belongs to the repository"), "\(refused.errors)")
    }
    let audit = try await home.run(["audit"])
    #expect(audit.ending == .exited(10), "\(audit.errors)")
    #expect(audit.output.contains("signatureUntrusted"), "\(audit.output)")
    let status = try await home.run(["status"])
    #expect(status.output.contains("1.0.0 is no longer accepted"), "\(status.output)")
    let path = try await home.run(["path", "acme/tiny"])
    #expect(path.ending == .exited(0) && path.output.hasSuffix("/files\n"))
    #expect(path.errors.contains("warning: acme/tiny 1.0.0 is no longer accepted"))
  }

  @Test func `a withdrawn release is told, refused and left, and the model goes back when asked`()
    async throws
  {
    var (home, repository) = try await pair("1.0.0", "1.1.0")
    #expect(try await home.run(["install", "acme/tiny@1.0"]).ending == .exited(0))
    #expect(try await home.run(["install", "acme/tiny"]).ending == .exited(0))
    try repository.withdraw(ConsumerRelease.seeded("1.1.0"), reason: "wrong tokenizer")
    let told = try await home.run(["repo", "update"])
    #expect(told.ending == .exited(0), "\(told.errors)")
    #expect(told.output.contains("1 release of 1 model, 1 withdrawn"), "\(told.output)")
    #expect(told.errors.contains("the release is withdrawn: wrong tokenizer"), "\(told.errors)")

    let status = try await home.run(["status"])
    #expect(
      status.output.contains(
        "1.1.0 is no longer accepted: the release is withdrawn: wrong tokenizer"
      ),
      "\(status.output)"
    )
    #expect(try await home.run(["list"]).output.contains("withdrawn"))
    let audit = try await home.run(["audit"])
    #expect(audit.ending == .exited(10) && audit.output.contains("manifestWithdrawn"))
    #expect(try await home.run(["exec", "acme/tiny", "--", "true"]).ending == .exited(6))
    try await home.run(["install", "acme/tiny@1.1.0"]).expectRefusal(
      6,
      "acme/tiny 1.1.0 is withdrawn: wrong tokenizer"
    )
    #expect(home.oracle().versions == ["1.0.0", "1.1.0"])
    #expect(try await home.run(["outdated"]).ending == .exited(10))

    // The floor is lowered by the withdrawal: nobody has to allow a downgrade.
    let updated = try await home.run(["update"])
    #expect(updated.ending == .exited(0), "\(updated.errors)")
    #expect(try await active(home) == "acme/tiny: active 1.0.0")
    #expect(try await home.run(["exec", "acme/tiny", "--", "true"]).ending == .exited(0))
    let again = try await home.run(["audit"])
    #expect(again.output.contains("manifestWithdrawn") && !again.output.contains("belowFloor"))
  }

  @Test func `channels and ranges decide what is installed, and are remembered`() async throws {
    var (home, repository) = try await pair("1.0.0")
    try repository.add(ConsumerRelease.seeded("1.2.0"))
    try repository.add(ConsumerRelease.seeded("2.0.0"), "beta")
    #expect(try await home.run(["install", "acme/tiny@1.0"]).ending == .exited(0))
    #expect(try await active(home) == "acme/tiny: active 1.0.0")
    #expect(try await home.run(["update"]).output.contains("acme/tiny 1.0.0: the newest in 1.0"))
    #expect(try await home.run(["install", "acme/tiny", "--channel", "beta"]).ending == .exited(0))
    #expect(try await active(home) == "acme/tiny: active 2.0.0")
    try repository.add(ConsumerRelease.seeded("2.1.0"), "beta")
    #expect(try await home.run(["update", "acme/tiny"]).ending == .exited(0))
    #expect(try await active(home) == "acme/tiny: active 2.1.0")
    try await home.run(["install", "acme/tiny@3"]).expectRefusal(
      3,
      "the repository has no release of acme/tiny in 3 in the channel beta",
      note: "it has acme/tiny 2.1.0 (beta)"
    )
  }

  @Test func `all keys are rotated three times, and a client follows from the first root`()
    async throws
  {
    var (home, repository) = try await pair("1.0.0")
    #expect(try await home.run(["install", "acme/tiny"]).ending == .exited(0))
    for generation in 1...3 { try repository.rotateAll(generation) }
    try repository.add(ConsumerRelease.seeded("1.1.0"))
    let updated = try await home.run(["update"])
    #expect(updated.ending == .exited(0), "\(updated.errors)")
    #expect(try await active(home) == "acme/tiny: active 1.1.0")
    // Another client pins the same first root now.
    try FileManager.default.createDirectory(
      atPath: "\(home.folder)/other",
      withIntermediateDirectories: false
    )
    var other = try ConsumerHome("\(home.folder)/other")
    other.store = "\(home.folder)/other/store"
    try await add(repository, to: other)
    let fresh = try await other.run(["install", "acme/tiny"])
    #expect(fresh.ending == .exited(0), "\(fresh.errors)")
  }

  @Test func `a mirror with the state of last month is named, and the next one is used`()
    async throws
  {
    var (home, repository) = try await pair("1.0.0")
    let old = try repository.mirror(named: "old")
    try repository.add(ConsumerRelease.seeded("1.1.0"))
    #expect(try await home.run(["install", "acme/tiny"]).ending == .exited(0))
    // The stale mirror comes first now.
    let removed = try await home.run(["repo", "remove", "acme"])
    #expect(removed.ending == .exited(0), "\(removed.errors)")
    let added = try await home.run([
      "repo", "add", old, "--mirror", repository.url, "--root", repository.rootFile(), "--models",
      "acme/*", "--name", "acme",
    ])
    #expect(added.ending == .exited(0), "\(added.errors)")
    #expect(try await home.run(["repo", "update"]).ending == .exited(0))
    try repository.add(ConsumerRelease.seeded("1.2.0"))
    let updated = try await home.run(["update"])
    #expect(updated.ending == .exited(0), "\(updated.errors)")
    #expect(updated.errors.contains("timestamp"), "\(updated.errors)")
    #expect(try await active(home) == "acme/tiny: active 1.2.0")
  }

  @Test func `a policy that the root has not signed changes nothing`() async throws {
    var (home, repository) = try await pair("1.0.0")
    #expect(try await home.run(["install", "acme/tiny"]).ending == .exited(0))
    let thief = try SimulatedSigner("targets")
    let policy = RepositoryPolicy(version: 2, policy: try .trusting([thief], for: "acme/*"))
    try repository.replacePolicy(policy, signedBy: [thief])
    let refused = try await home.run(["repo", "update"])
    refused.expectRefusal(
      6,
      "repository acme: 0 keys of the root have signed the trust policy, 1 needed"
    )
    #expect(try await home.run(["exec", "acme/tiny", "--", "true"]).ending == .exited(0))
    #expect(try await home.run(["audit"]).ending == .exited(0))
  }

  @Test
  func `after the metadata has expired installed models work, and installs say what is stale`()
    async throws
  {
    var (home, repository) = try await pair("1.0.0")
    #expect(try await home.run(["install", "acme/tiny"]).ending == .exited(0))
    try repository.expire(inDays: -1)
    try repository.add(ConsumerRelease.seeded("1.1.0"))
    let refused = try await home.run(["update"])
    #expect(refused.ending == .exited(6), "\(refused.errors)")
    #expect(refused.errors.contains("expired"), "\(refused.errors)")
    #expect(refused.errors.contains("note: the clock here says"), "\(refused.errors)")
    #expect(refused.errors.contains("what is known of it here is current until"))
    for command in [["exec", "acme/tiny", "--", "true"], ["audit"], ["status"]] {
      #expect(try await home.run(command).ending == .exited(0), "\(command)")
    }
  }

  @Test func `a file that is no root is refused, and nothing is reserved`() async throws {
    let home = try ConsumerHome()
    let file = try home.write(Array("{}".utf8), to: "root.json")
    let refused = try await home.run([
      "repo", "add", "https://example.com/r", "--root", file, "--models", "acme/*",
    ])
    #expect(refused.ending == .exited(6), "\(refused.errors)")
    #expect(try await home.run(["repo", "list"]).output.isEmpty)
  }

  @Test func `going back on purpose is said once, and audits are content`() async throws {
    let home = try await ConsumerHome.trusting()
    for version in ["1.0.0", "1.1.0"] { try await home.installed(ConsumerRelease.seeded(version)) }
    #expect(try await home.run(["rollback", "acme/tiny"]).ending == .exited(0))
    #expect(try await home.run(["remove", "acme/tiny@1.1.0"]).ending == .exited(0))
    #expect(try await home.run(["audit"]).ending == .exited(10))
    try await home.run(["mark", "good", "acme/tiny@1.1.0", "--lower-floor"]).expectRefusal(
      3,
      "acme/tiny 1.1.0 is not in the store"
    )
    let marked = try await home.run(["mark", "good", "acme/tiny", "--lower-floor"])
    #expect(marked.output == "acme/tiny 1.0.0 is good, and the downgrade floor\n")
    let audit = try await home.run(["audit"])
    #expect(audit.ending == .exited(0), "\(audit.output)")
  }

  @Test func `a version whose manifest or key is withdrawn does not start`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(ConsumerRelease.seeded("1.0.0"))
    let start = ["exec", "acme/tiny", "--", "echo", "started"]
    #expect(try await home.run(start).output == "started\n")
    for what in ["acme/tiny@1.0.0", "\(home.signer.fingerprint)"] {
      let withdraw = ["trust", "withdraw", what, "--reason", "stolen"]
      #expect(try await home.run(withdraw).ending == .exited(0))
      let refused = try await home.run(start)
      #expect(refused.ending == .exited(6) && refused.output.isEmpty, "\(refused.errors)")
      let back = ["trust", "withdraw", what, "--undo"]
      #expect(try await home.run(back).ending == .exited(0))
      #expect(try await home.run(start).ending == .exited(0))
    }
    #expect(try await home.run(["trust", "remove", "acme/*"]).ending == .exited(0))
    #expect(try await home.run(start).ending == .exited(6))
  }
}
