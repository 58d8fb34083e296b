import Foundation
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Trust

/// What a client of a repository keeps, says and refuses when things went wrong around it.
@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct ConsumerRepositoryCareTests {
  /// A client without trust of its own that follows a repository for `acme/*` with these releases.
  private func pair(
    _ versions: String...
  ) async throws -> (home: ConsumerHome, repository: ConsumerRepository) {
    let (home, repository) = try ConsumerRepository.withClient(versions)
    try await expect(home, "repo", "add", repository.url, "--root", repository.rootFile())
    return (home, repository)
  }

  /// Runs a command that must succeed; `repo add` gets the models and the name.
  @discardableResult
  private func expect(
    _ home: ConsumerHome,
    _ words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> ToolOutcome {
    let isAdding = words.starts(with: ["repo", "add"])
    let outcome = try await home.run(
      words + (isAdding ? ["--models", "acme/*", "--name", "acme"] : [])
    )
    #expect(outcome.ending == .exited(0), "\(outcome.errors)", sourceLocation: sourceLocation)
    return outcome
  }

  private func active(_ home: ConsumerHome) async throws -> String {
    try await home.run(["status", "acme/tiny"]).output.split(separator: "\n").first
      .map(String.init) ?? ""
  }

  /// The key of the releases is withdrawn, and another one takes its place.
  private func withdrawKey(
    _ home: ConsumerHome,
    _ repository: inout ConsumerRepository
  ) throws {
    let policy = try TrustPolicy.trusting([home.signer(named: "next")], for: "acme/*")
      .withdrawing(home.signer.fingerprint, reason: "stolen")
    try repository.replacePolicy(
      RepositoryPolicy(version: 2, policy: policy),
      signedBy: [SimulatedSigner("root")]
    )
  }

  // What stays.

  @Test func `leaving a withdrawn release, the good one before it stays the way back`()
    async throws
  {
    var (home, repository) = try await pair("1.0.0", "1.2.0")
    try await expect(home, "install", "acme/tiny@1.0.0")
    try await expect(home, "install", "acme/tiny")
    try repository.withdraw(ConsumerRelease.seeded("1.2.0"), reason: "wrong tokenizer")
    try repository.add(ConsumerRelease.seeded("1.1.0"))
    try await expect(home, "update")
    #expect(try await active(home) == "acme/tiny: active 1.1.0")
    #expect(home.oracle().versions == ["1.0.0", "1.1.0", "1.2.0"])
    let explained = try await expect(home, "gc", "--explain")
    #expect(explained.output.contains("stays: previous"), "\(explained.output)")
    #expect(explained.output.contains("stays: withdrawn by its repository"), "\(explained.output)")
    // Nothing of the repository is reachable any more.
    try Folder(path: home.folder).removeTree("repository")
    try await expect(home, "rollback", "acme/tiny")
    #expect(try await active(home) == "acme/tiny: active 1.0.0")
    try await expect(home, "remove", "acme/tiny@1.2.0")
    #expect(home.oracle().versions == ["1.0.0", "1.1.0"])
  }

  @Test func `while nobody knows what is withdrawn, nothing of the model is collected`()
    async throws
  {
    var (home, repository) = try await pair("1.2.0", "1.3.0")
    try await expect(home, "install", "acme/tiny@1.2.0")
    try await expect(home, "install", "acme/tiny")
    for version in ["1.2.0", "1.3.0"] {
      try repository.withdraw(ConsumerRelease.seeded(version), reason: "wrong")
    }
    try repository.add(ConsumerRelease.seeded("1.0.0"))
    try await expect(home, "update")
    let versions = home.oracle().versions
    #expect(versions == ["1.0.0", "1.2.0", "1.3.0"])
    let place = "\(home.store)/repositories/acme/accepted/withdrawn.json"
    try replaceFile(at: place, with: [1, 2, 3], mode: 0o600)
    let collected = try await home.run(["gc", "--keep", "1", "--explain"])
    #expect(collected.ending == .exited(8))
    let words =
      "what the repository of acme/tiny has withdrawn is not known here; no version of it was removed"
    #expect(collected.errorLines == ["error: \(words)", "  help: sealift repo update fetches it"])
    let reason = "stays: nobody knows here what its repository has withdrawn"
    #expect(collected.output.contains(reason), "\(collected.output)")
    #expect(home.oracle().versions == versions)
    try await expect(home, "repo", "update")
    let known = try await expect(home, "gc", "--keep", "1", "--explain")
    #expect(known.output.contains("stays: withdrawn by its repository"), "\(known.output)")
    #expect(home.oracle().versions == versions)
  }

  @Test func `no trial begins that could return to a withdrawn version alone`() async throws {
    var (home, repository) = try await pair("1.0.0")
    try await expect(home, "install", "acme/tiny")
    try repository.withdraw(ConsumerRelease.seeded("1.0.0"), reason: "wrong tokenizer")
    try repository.add(ConsumerRelease.seeded("1.1.0"))
    try await expect(home, "repo", "update")
    try await expect(home, "install", "acme/tiny", "--no-activate")
    let trial = try await home.run(["activate", "acme/tiny@1.1.0", "--trial", "3"])
    #expect(trial.ending == .exited(3), "\(trial.errors)")
    #expect(trial.errors.contains("has no other version to return to"), "\(trial.errors)")
    try await expect(home, "activate", "acme/tiny@1.1.0")
  }

  @Test func `an update passes over what a person has marked bad`() async throws {
    var (home, repository) = try await pair("1.0.0")
    try await expect(home, "install", "acme/tiny")
    try repository.add(ConsumerRelease.seeded("1.1.0"))
    try await expect(home, "update")
    let back = try await expect(home, "rollback", "acme/tiny")
    #expect(back.errors.contains("sealift update goes to 1.1.0 again"), "\(back.errors)")
    try await expect(home, "mark", "bad", "acme/tiny@1.1.0", "--reason", "slow")
    let updated = try await expect(home, "update")
    #expect(updated.errors.contains("1.1.0 is marked bad here: slow"), "\(updated.errors)")
    #expect(try await active(home) == "acme/tiny: active 1.0.0")
    #expect(try await expect(home, "outdated").output.contains("the newest"))
    // Whoever names the model wants it.
    try await expect(home, "install", "acme/tiny")
    #expect(try await active(home) == "acme/tiny: active 1.1.0")
  }

  // What cannot be reached.

  @Test func `a wrong URL is a matter of the network, and of the URL`() async throws {
    let (home, repository) = try await pair("1.0.0")
    try await expect(home, "repo", "remove", "acme")
    try await expect(
      home,
      "repo",
      "add",
      "\(repository.url)/nowhere",
      "--root",
      repository.rootFile()
    )
    try await home.run(["repo", "update"]).expectRefusal(
      4,
      "repository acme: there is no repository at any of its URLs (TUF 5.4.1: no timestamp)",
      note: "\(repository.url)/nowhere/metadata/: timestamp.json: cannot be read",
      help: "check the URL"
    )
  }

  @Test func `who gives up soon does not wait for a silent repository`() async throws {
    let mirror = try FaultyMirror(.silence)
    let (home, repository) = try await pair("1.0.0")
    try await expect(home, "repo", "add", repository.url, "--root", repository.rootFile())
    try await expect(home, "repo", "remove", "acme")
    try await expect(home, "repo", "add", mirror.url, "--root", repository.rootFile())
    let ended = try await home.run(["repo", "update", "--give-up", "1s"])
    #expect(ended.ending == .exited(4), "\(ended.errors)")
    // Neither the server ended it, which never answers, nor the clock for silence.
    #expect(!ended.errors.contains("within 30 s"), "\(ended.errors)")
    withExtendedLifetime(mirror) {}
  }

  @Test func `an install that cannot ask says what is here`() async throws {
    let (home, _) = try await pair("1.0.0")
    try await expect(home, "install", "acme/tiny")
    try Folder(path: home.folder).removeTree("repository")
    let refused = try await home.run(["install", "acme/tiny@1.0.0"])
    #expect(refused.ending == .exited(6) || refused.ending == .exited(4), "\(refused.errors)")
    #expect(refused.errors.contains("note: acme/tiny 1.0.0 is installed and active"))
    let other = try await home.run(["install", "acme/tiny@2"])
    #expect(!other.errors.contains("is installed and active"), "\(other.errors)")
    // What cannot be read here takes the place of no failure.
    let record = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: home.store)
        .first { $0.hasSuffix("/active.json") }
    )
    try FileManager.default.removeItem(atPath: "\(home.store)/\(record)")
    try FileManager.default.createDirectory(
      atPath: "\(home.store)/\(record)",
      withIntermediateDirectories: false
    )
    let unread = try await home.run(["install", "acme/tiny@1.0.0"])
    #expect(unread.ending == refused.ending, "\(unread.errors)")
  }

  // Keys.

  @Test func `a withdrawn release key is told with its reason, everywhere`() async throws {
    var (home, repository) = try await pair("1.0.0")
    let manifest = try home.publish(ConsumerRelease.seeded("1.0.0"))
    try await expect(home, "install", "acme/tiny")
    try withdrawKey(home, &repository)
    let told = try await expect(home, "repo", "update")
    #expect(told.errors.contains("\(home.signer.fingerprint) is withdrawn: stolen"))
    #expect(told.errors.contains("help: sealift update acme/tiny brings"), "\(told.errors)")
    #expect(!told.errors.contains("rollback"), "\(told.errors)")
    let reason = "the manifest names a key that is withdrawn by the repository acme"
    for (words, code) in [
      (["install", "acme/tiny"], 6), (["install", manifest], 6), (["outdated"], 6),
      (["update"], 6), (["trust", "check", manifest], 6),
      (["exec", "acme/tiny", "--", "true"], 6),
    ] {
      let refused = try await home.run(words)
      #expect(refused.ending == .exited(code), "\(words): \(refused.errors)")
      #expect(refused.errors.contains(reason), "\(words): \(refused.errors)")
      #expect(refused.errors.contains("is withdrawn: stolen"), "\(words): \(refused.errors)")
      #expect(!refused.errors.contains("trust add"), "\(words): \(refused.errors)")
    }
    for word in ["outdated", "update"] {
      let refused = try await home.run([word])
      #expect(refused.errors.contains("error: acme/tiny 1.0.0: the manifest names"))
      #expect(refused.output.isEmpty, "\(refused.output)")
    }
    #expect(try await home.run(["status"]).output.contains(reason))
    #expect(try await home.run(["list"]).output.contains("no longer accepted"))
    let audit = try await home.run(["audit"])
    #expect(audit.ending == .exited(10), "\(audit.errors)")
    #expect(audit.output.contains("keyRevoked"), "\(audit.output)")
    #expect(audit.output.contains("withdrawn: stolen"), "\(audit.output)")
  }

  @Test func `what the repository said and is damaged here is told as that`() async throws {
    let (home, _) = try await pair("1.0.0")
    try await expect(home, "install", "acme/tiny")
    for name in ["policy.json", "withdrawn.json"] {
      let place = "\(home.store)/repositories/acme/accepted/\(name)"
      try replaceFile(at: place, with: [1, 2, 3], mode: 0o600)
      try await home.run(["exec", "acme/tiny", "--", "true"]).expectRefusal(
        6,
        "acme/tiny belongs to the repository acme, and what that has said cannot be read here any more",
        help: "sealift repo update fetches it again"
      )
      let list = try await expect(home, "repo", "list")
      #expect(list.output.contains("damaged"), "\(list.output)")
      try await expect(home, "repo", "update")
      try await expect(home, "exec", "acme/tiny", "--", "true")
    }
  }

  // What is pinned.

  @Test func `the root of somebody else takes no repository over by its name`() async throws {
    var (home, repository) = try await pair("1.0.0")
    try await expect(home, "install", "acme/tiny")
    let other = try ConsumerRepository("\(home.folder)/other", signer: home.signer, root: "thief")
    let words = [
      "repo", "add", repository.url, "--root", try other.rootFile(), "--models", "acme/*",
      "--name", "acme",
    ]
    try await home.run(words).expectRefusal(
      6,
      "the root does not follow from the one that is pinned for the repository acme",
      note: "pinned is SHA-256",
      help: "sealift repo update acme"
    )
    try await expect(home, "exec", "acme/tiny", "--", "true")
    #expect(try await home.run(words + ["--replace-root"]).ending == .exited(0))
    #expect(try await home.run(["exec", "acme/tiny", "--", "true"]).ending == .exited(6))
    // Roots of the same repository go on from one another, and never back.
    let first = try repository.rootFile()
    let back = ["repo", "add", repository.url, "--root", first, "--models", "acme/*"]
    #expect(try await home.run(back + ["--name", "acme", "--replace-root"]).ending == .exited(0))
    for generation in 1...2 { try repository.rotateAll(generation) }
    try await expect(home, "repo", "update")
    let newest = "\(repository.folder)/metadata/3.root.json"
    try await expect(home, "repo", "add", repository.url, "--root", newest)
    try await expect(home, "exec", "acme/tiny", "--", "true")
    let older = try await home.run(back + ["--name", "acme"])
    #expect(older.ending == .exited(6), "\(older.errors)")
    #expect(older.errors.contains("the root does not follow from"), "\(older.errors)")
    let replaced = try await home.run(back + ["--name", "acme", "--replace-root"])
    #expect(replaced.errors.contains("sealift repo remove acme --purge"), "\(replaced.errors)")
  }

  @Test func `a repository that is added again goes on from what was seen, unless it was purged`()
    async throws
  {
    var (home, repository) = try await pair("1.0.0")
    let old = try repository.mirror(named: "old")
    let root = try repository.rootFile()
    try repository.add(ConsumerRelease.seeded("1.1.0"))
    try await expect(home, "repo", "update")
    let removed = try await expect(home, "repo", "remove", "acme")
    #expect(removed.errors.contains("what was seen of it is kept"), "\(removed.errors)")
    let doctor = try await home.run(["doctor"])
    #expect(doctor.errors.contains("repositories/acme/root.json"), "\(doctor.errors)")
    try await expect(home, "repo", "add", old, "--root", root)
    let refused = try await home.run(["repo", "update"])
    #expect(refused.ending == .exited(6), "\(refused.errors)")
    #expect(refused.errors.contains("TUF 5.4.3.1"), "\(refused.errors)")
    try await expect(home, "repo", "remove", "acme")
    try await expect(home, "repo", "remove", "acme", "--purge")
    try await expect(home, "repo", "add", old, "--root", root)
    try await expect(home, "repo", "update")
  }

  // What is read.

  @Test func `nobody reads the list of releases to know when it expires`() async throws {
    let (home, _) = try await pair("1.0.0")
    try await expect(home, "install", "acme/tiny")
    let state = "\(home.store)/repositories/acme"
    let before = try await expect(home, "repo", "list").output
    #expect(before.contains("current until"))
    try replaceFile(at: "\(state)/targets.json", with: [], mode: 0o600)
    #expect(try await expect(home, "repo", "list").output == before)
    // It holds for this timestamp alone.
    let timestamp = try OpenFile(readingPlainFile: "\(state)/timestamp.json").readAll(limit: 9_999)
    try replaceFile(at: "\(state)/timestamp.json", with: timestamp + [10], mode: 0o600)
    #expect(try await expect(home, "repo", "list").output.contains("not asked yet"))
  }

  @Test func `the policy of a report covers what repositories have said`() async throws {
    func digest(_ home: ConsumerHome) async throws -> String {
      let report = try await home.run(["audit", "--format", "json"]).output
      let match = report.firstMatch(of: /"sha256":\s*"([0-9a-f]{64})"/)
      return String(try #require(match).1)
    }
    var (home, repository) = try await pair("1.0.0")
    try await expect(home, "install", "acme/tiny")
    let before = try await digest(home)
    #expect(try await digest(home) == before)
    try withdrawKey(home, &repository)
    try await expect(home, "repo", "update")
    let after = try await digest(home)
    #expect(after != before)
    try repository.withdraw(ConsumerRelease.seeded("1.0.0"), reason: "wrong tokenizer")
    try await expect(home, "repo", "update")
    #expect(try await digest(home) != after)
  }

  @Test func `where the list of repositories is broken, the doctor says what to do`() async throws {
    let (home, _) = try await pair("1.0.0")
    try await expect(home, "install", "acme/tiny")
    try replaceFile(at: "\(home.configuration)/repositories.json", with: [1], mode: 0o600)
    let doctor = try await home.run(["doctor"])
    #expect(doctor.errors.contains("repositories.json"), "\(doctor.errors)")
    #expect(doctor.errors.contains("help: correct the file, or move it away"), "\(doctor.errors)")
    #expect(doctor.errors.contains("repositories/acme/root.json"), "\(doctor.errors)")
    #expect(doctor.errors.contains("the list of repositories cannot be read"), "\(doctor.errors)")
    #expect(!doctor.errors.contains("not among"), "\(doctor.errors)")
    #expect(!doctor.errors.contains("--purge"), "\(doctor.errors)")
  }

  @Test func `where the trust policy is broken, the doctor forgets no repository`() async throws {
    let (home, _) = try await pair("1.0.0")
    try await expect(home, "install", "acme/tiny")
    try replaceFile(at: "\(home.configuration)/trust.json", with: [1], mode: 0o600)
    let doctor = try await home.run(["doctor"])
    #expect(doctor.errors.contains("trust.json"), "\(doctor.errors)")
    #expect(!doctor.errors.contains("not among"), "\(doctor.errors)")
    #expect(!doctor.errors.contains("--purge"), "\(doctor.errors)")
    // Nobody knows either whether a version is accepted.
    let list = try await home.run(["list", "--json"])
    #expect(list.output.contains(#""accepted":null"#), "\(list.output)")
    let status = try await home.run(["status", "--json"])
    #expect(status.output.contains(#""accepted":null"#), "\(status.output)")
  }

  @Test func `an update without a repository says so`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(ConsumerRelease.seeded("1.0.0"))
    let updated = try await expect(home, "update")
    #expect(updated.errors.contains("no installed model belongs to a repository"))
  }
}
