import Foundation
import ReleaseSimulator
import TestSupport
import Testing

/// Whether python-tuf's client accepts every repository that the tool makes, at every step, and nothing that was changed.
@Suite(
  .temporaryFolder,
  .timeLimit(.minutes(20)),
  .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice)
)
struct RepositoryJudgeTests {
  private struct Step: Codable {
    let tree: String
    let targets: [String]
    var missing: [String] = []
  }

  private struct Plan: Codable {
    let root: String
    let steps: [Step]
    var expiries = [31, 400, 4_000]
    let flips: Int
  }

  private static let judge = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Judges/tuf_judge.py").path

  private static let fixed = ["policy.json", "withdrawn.json"]

  /// What the judge finds wrong with the steps.
  private func troubles(_ steps: [Step], flips: Int) async throws -> String {
    let plan = Plan(root: "\(steps[0].tree)/metadata/1.root.json", steps: steps, flips: flips)
    try place(Array(JSONEncoder().encode(plan)), at: "plan.json")
    var python = PythonEnvironment.python
    python.folder = TemporaryFolder.current
    let outcome = try await python.run([Self.judge, "plan.json"])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    print("tuf_judge: \(outcome.errors)")
    return outcome.output
  }

  private func step(_ steps: inout [Step], _ targets: [String], missing: [String] = []) throws {
    let name = "step-\(steps.count)"
    try RepositoryBench.copyTree(to: name)
    steps.append(Step(tree: name, targets: Self.fixed + targets, missing: missing))
  }

  @Test func `fifty releases, channels, a withdrawal, a threshold root and rotations of all roles`()
    async throws
  {
    let owner = try await RepositoryBench.make()
    var steps: [Step] = []
    try step(&steps, [])
    let versions = (0..<50).map { "1.\($0).0" }
    for version in versions.prefix(3) {
      let path = try RepositoryBench.manifest("tiny", version, by: owner)
      try await RepositoryBench.repo("add", "public", path, "--key", "keys/owner.key")
      try step(&steps, ["manifests/tiny/\(version).json"])
    }
    let rest = try versions.dropFirst(3).map { try RepositoryBench.manifest("tiny", $0, by: owner) }
    let added = try await publish(["repo", "add", "public"] + rest + ["--key", "keys/owner.key"])
    #expect(added.exitCode == 0, "\(added.errors)")
    let all = versions.map { "manifests/tiny/\($0).json" }
    try step(&steps, all)
    try await RepositoryBench.repo(
      "channel",
      "public",
      "tiny@1.9.0",
      "--add",
      "beta",
      "--remove",
      "stable",
      "--key",
      "keys/owner.key"
    )
    try step(&steps, all)
    let withdrawn = try await RepositoryBench.repo(
      "withdraw",
      "public",
      "tiny@1.49.0",
      "--reason",
      "wrong tokenizer",
      "--key",
      "keys/owner.key"
    )
    #expect(withdrawn.output.contains("effective for every client by "))
    let left = Array(all.dropLast())
    try step(&steps, left, missing: [all[49]])
    for name in ["a", "b", "c", "online", "lists", "lists2"] { try RepositoryBench.key(name) }
    try await RepositoryBench.repo(
      "rotate",
      "public",
      "root",
      "--add",
      "keys/a.pub",
      "--add",
      "keys/b.pub",
      "--add",
      "keys/c.pub",
      "--remove",
      "keys/owner.pub",
      "--threshold",
      "2",
      "--key",
      "keys/owner.key",
      "--key",
      "keys/a.key",
      "--key",
      "keys/b.key"
    )
    try step(&steps, left)
    try await RepositoryBench.repo(
      "rotate",
      "public",
      "snapshot",
      "timestamp",
      "--add",
      "keys/online.pub",
      "--remove",
      "keys/owner.pub",
      "--key",
      "keys/owner.key",
      "--key",
      "keys/b.key",
      "--key",
      "keys/c.key",
      "--key",
      "keys/online.key"
    )
    try step(&steps, left)
    try await RepositoryBench.repo(
      "rotate",
      "public",
      "targets",
      "--add",
      "keys/lists.pub",
      "--remove",
      "keys/owner.pub",
      "--key",
      "keys/owner.key",
      "--key",
      "keys/a.key",
      "--key",
      "keys/c.key",
      "--key",
      "keys/online.key",
      "--key",
      "keys/lists.key"
    )
    try step(&steps, left)
    try RepositoryBench.key("online2")
    try await RepositoryBench.repo(
      "rotate",
      "public",
      "snapshot",
      "timestamp",
      "--add",
      "keys/online2.pub",
      "--remove",
      "keys/online.pub",
      "--compromised",
      "--key",
      "keys/a.key",
      "--key",
      "keys/c.key",
      "--key",
      "keys/online2.key"
    )
    try step(&steps, left)
    try await RepositoryBench.repo(
      "refresh",
      "public",
      "--within",
      "40d",
      "--key",
      "keys/online2.key"
    )
    try step(&steps, left)
    #expect(try await troubles(steps, flips: 40) == "")
  }

  @Test func `a repository with bins, from the start and after it was split`() async throws {
    let owner = try await RepositoryBench.make("--bins")
    var steps: [Step] = []
    try step(&steps, [])
    var all: [String] = []
    for number in 0..<4 {
      let path = try RepositoryBench.manifest("m\(number % 2)", "1.\(number).0", by: owner)
      try await RepositoryBench.repo("add", "public", path, "--key", "keys/owner.key")
      all.append("manifests/m\(number % 2)/1.\(number).0.json")
      try step(&steps, all + ["index/m\(number % 2).json"])
    }
    try await RepositoryBench.repo(
      "withdraw",
      "public",
      "m0@1.0.0",
      "--reason",
      "why",
      "--key",
      "keys/owner.key"
    )
    try step(&steps, Array(all.dropFirst()), missing: [all[0]])
    try RepositoryBench.key("lists")
    try await RepositoryBench.repo(
      "rotate",
      "public",
      "targets",
      "--add",
      "keys/lists.pub",
      "--remove",
      "keys/owner.pub",
      "--key",
      "keys/owner.key",
      "--key",
      "keys/lists.key"
    )
    try step(&steps, Array(all.dropFirst()), missing: [all[0]])
    #expect(try await troubles(steps, flips: 12) == "")
  }
}
